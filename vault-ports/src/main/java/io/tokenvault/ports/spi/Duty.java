package io.tokenvault.ports.spi;

/** Work in the background that one of all nodes does for all. */
public enum Duty {
  SWEEPING,
  REENCRYPTION,
  PARTITIONS,
  STREAMING
}
