package io.tokenvault.engine.worker.node.crypto;

import io.tokenvault.engine.worker.node.buffer.ByteRealm;
import io.tokenvault.engine.worker.node.buffer.LazyMembers;
import java.util.List;

/**
 * The classes of the module {@code crypto} as streams.
 *
 * <p>Few scripts use them so, and streams are the largest script of the surface. A class becomes
 * one of streams when a script first reads one of the methods with which that use begins.
 */
final class CryptoStreams {

  private static final List<String> WRITABLE = List.of("write", "end", "on", "once");
  private static final List<String> READABLE = List.of("pipe", "read", "setEncoding");

  private CryptoStreams() {}

  /** Makes the objects of a class streams that return output for their input. */
  static void addTransform(ByteRealm realm, LazyMembers members) {
    define(realm, members, "transform", WRITABLE);
    define(realm, members, "transform", READABLE);
  }

  /** Makes the objects of a class streams to which data is written. */
  static void addWritable(ByteRealm realm, LazyMembers members) {
    define(realm, members, "writable", WRITABLE);
  }

  private static void define(
      ByteRealm realm, LazyMembers members, String kind, List<String> methods) {
    for (String method : methods) {
      members.lazy(method, () -> realm.call("crypto-streams", kind, members.object(), method));
    }
  }
}
