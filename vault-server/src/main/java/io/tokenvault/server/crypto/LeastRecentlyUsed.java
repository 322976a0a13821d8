package io.tokenvault.server.crypto;

import java.util.LinkedHashMap;
import java.util.Map;

/** Forgets the entry that was read longest ago once there are too many. Not for many threads. */
final class LeastRecentlyUsed<K, V> extends LinkedHashMap<K, V> {

  private static final long serialVersionUID = 1L;
  private static final float LOAD_FACTOR = 0.75f;

  private final int capacity;

  LeastRecentlyUsed(int capacity) {
    super(16, LOAD_FACTOR, true);
    this.capacity = capacity;
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
    return size() > capacity;
  }
}
