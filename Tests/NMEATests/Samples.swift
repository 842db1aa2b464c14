import Instants
import Records

/// The time of the first octet, and sentences of one walk without their checksums.
let start = Instant(microseconds: 1_000_000)
let rmc = "GPRMC,120000.00,A,5015.1234,N,00830.5678,E,2.70,40.5,211126,,,A"
let gga = "GPGGA,120000.00,5015.1234,N,00830.5678,E,1,08,0.9,112.5,M,47.9,M,,"
let gst = "GPGST,120000.00,3.1,5.0,3.2,40.0,4.1,3.9,7.5"
let gsa = "GPGSA,A,3,02,05,07,12,15,20,25,29,,,,,1.8,0.9,1.5"
