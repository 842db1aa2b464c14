#ifndef BEACONMON_CBLUETOOTH_H
#define BEACONMON_CBLUETOOTH_H

/* Only what libbluetooth's headers declare is used, nothing that it defines: no program links it. */
#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* hci_dev_list_req with room for every adapter that the kernel lists. */
struct hci_adapter_list {
  uint16_t count;
  struct hci_dev_req adapters[HCI_MAX_DEV];
};

/* Variadic functions and macros with arguments do not import. Each returns -1 and sets errno when it fails. */
static inline int hci_get_adapter_list(int descriptor, struct hci_adapter_list *list) { return ioctl(descriptor, HCIGETDEVLIST, list); }
static inline int hci_get_adapter(int descriptor, struct hci_dev_info *adapter) { return ioctl(descriptor, HCIGETDEVINFO, adapter); }

/* struct mmsghdr, which _GNU_SOURCE hides; see CLinux for why that is not defined. */
struct hci_received {
  struct msghdr header;
  unsigned int length;
};

/* recvmmsg without a time limit. */
static inline int hci_receive(int descriptor, struct hci_received *messages, unsigned int count, int flags) {
  return (int)syscall(SYS_recvmmsg, descriptor, messages, count, flags, (void *)0);
}

#endif
