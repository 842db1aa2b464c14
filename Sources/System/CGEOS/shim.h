#ifndef BEACONMON_CGEOS_H
#define BEACONMON_CGEOS_H

/* Only what GEOS' header for C declares is used; no program links it. It is loaded on demand. */
#include <dlfcn.h>
#include <geos_c.h>

struct geos_library {
  __typeof__(&GEOS_init_r) init_r;
  __typeof__(&GEOS_finish_r) finish_r;
  __typeof__(&GEOSCoordSeq_create_r) CoordSeq_create_r;
  __typeof__(&GEOSCoordSeq_setXY_r) CoordSeq_setXY_r;
  __typeof__(&GEOSCoordSeq_getSize_r) CoordSeq_getSize_r;
  __typeof__(&GEOSCoordSeq_getXY_r) CoordSeq_getXY_r;
  __typeof__(&GEOSGeom_createLinearRing_r) Geom_createLinearRing_r;
  __typeof__(&GEOSGeom_createPolygon_r) Geom_createPolygon_r;
  __typeof__(&GEOSGeom_destroy_r) Geom_destroy_r;
  __typeof__(&GEOSGeom_getCoordSeq_r) Geom_getCoordSeq_r;
  __typeof__(&GEOSGeomTypeId_r) GeomTypeId_r;
  __typeof__(&GEOSGetNumGeometries_r) GetNumGeometries_r;
  __typeof__(&GEOSGetGeometryN_r) GetGeometryN_r;
  __typeof__(&GEOSGetExteriorRing_r) GetExteriorRing_r;
  __typeof__(&GEOSGetNumInteriorRings_r) GetNumInteriorRings_r;
  __typeof__(&GEOSGetInteriorRingN_r) GetInteriorRingN_r;
  __typeof__(&GEOSisValidReason_r) isValidReason_r;
  __typeof__(&GEOSisValid_r) isValid_r;
  __typeof__(&GEOSMakeValid_r) MakeValid_r;
  __typeof__(&GEOSIntersection_r) Intersection_r;
  __typeof__(&GEOSFree_r) Free_r;
};

/* Loads the library. Returns null, or the reason from dlerror(3). */
static inline const char *geos_library_load(struct geos_library *library) {
  void *handle = dlopen("libgeos_c.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return dlerror();
#define BEACONMON_FIND(field, name) \
  if (!(library->field = (__typeof__(library->field))dlsym(handle, name))) return dlerror()
  BEACONMON_FIND(init_r, "GEOS_init_r");
  BEACONMON_FIND(finish_r, "GEOS_finish_r");
  BEACONMON_FIND(CoordSeq_create_r, "GEOSCoordSeq_create_r");
  BEACONMON_FIND(CoordSeq_setXY_r, "GEOSCoordSeq_setXY_r");
  BEACONMON_FIND(CoordSeq_getSize_r, "GEOSCoordSeq_getSize_r");
  BEACONMON_FIND(CoordSeq_getXY_r, "GEOSCoordSeq_getXY_r");
  BEACONMON_FIND(Geom_createLinearRing_r, "GEOSGeom_createLinearRing_r");
  BEACONMON_FIND(Geom_createPolygon_r, "GEOSGeom_createPolygon_r");
  BEACONMON_FIND(Geom_destroy_r, "GEOSGeom_destroy_r");
  BEACONMON_FIND(Geom_getCoordSeq_r, "GEOSGeom_getCoordSeq_r");
  BEACONMON_FIND(GeomTypeId_r, "GEOSGeomTypeId_r");
  BEACONMON_FIND(GetNumGeometries_r, "GEOSGetNumGeometries_r");
  BEACONMON_FIND(GetGeometryN_r, "GEOSGetGeometryN_r");
  BEACONMON_FIND(GetExteriorRing_r, "GEOSGetExteriorRing_r");
  BEACONMON_FIND(GetNumInteriorRings_r, "GEOSGetNumInteriorRings_r");
  BEACONMON_FIND(GetInteriorRingN_r, "GEOSGetInteriorRingN_r");
  BEACONMON_FIND(isValidReason_r, "GEOSisValidReason_r");
  BEACONMON_FIND(isValid_r, "GEOSisValid_r");
  BEACONMON_FIND(MakeValid_r, "GEOSMakeValid_r");
  BEACONMON_FIND(Intersection_r, "GEOSIntersection_r");
  BEACONMON_FIND(Free_r, "GEOSFree_r");
#undef BEACONMON_FIND
  return 0;
}

#endif
