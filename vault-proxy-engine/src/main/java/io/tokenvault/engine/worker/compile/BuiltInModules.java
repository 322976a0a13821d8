package io.tokenvault.engine.worker.compile;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The names of the modules that every worker has built in. */
public final class BuiltInModules {

  /** The module with the error classes; an operator can add names for it. */
  public static final String ERRORS = "vault-errors";

  /** The modules of Node.js, without the prefix {@code node:}. */
  public static final Set<String> OF_NODE =
      Set.of(
          ("assert assert/strict buffer console crypto diagnostics_channel events "
                  + "http https os path path/posix process punycode querystring stream "
                  + "stream/consumers stream/promises stream/web string_decoder timers "
                  + "timers/promises tty url util util/types zlib")
              .split(" "));

  /**
   * The modules of Node.js that give access to what transforms lack. Modules of the operator can
   * load them, but nothing in them can be used but constants.
   */
  public static final Set<String> UNAVAILABLE =
      Set.of(
          ("async_hooks child_process cluster constants dgram dns dns/promises fs "
                  + "fs/promises http2 inspector module net perf_hooks readline tls v8 vm "
                  + "worker_threads")
              .split(" "));

  private static final String PREFIX = "node:";

  private BuiltInModules() {}

  /**
   * Returns the names for {@code require}, with and without the prefix {@code node:}.
   *
   * @param errorModules additional names of {@code vault-errors}
   */
  public static Set<String> names(List<String> errorModules) {
    Set<String> names = new LinkedHashSet<>(errorModules);
    names.add(ERRORS);
    for (String name : OF_NODE) {
      names.add(name);
      names.add(PREFIX + name);
    }
    return names;
  }

  /** Returns the name of a module of Node.js without its prefix; null if it is none. */
  public static String ofNode(String name) {
    String plain = plain(name);
    return OF_NODE.contains(plain) ? plain : null;
  }

  /** Returns the name of an unavailable module without its prefix; null if it is none. */
  public static String unavailable(String name) {
    String plain = plain(name);
    return UNAVAILABLE.contains(plain) ? plain : null;
  }

  private static String plain(String name) {
    return name.startsWith(PREFIX) ? name.substring(PREFIX.length()) : name;
  }
}
