package io.tokenvault.engine.worker.compile;

import java.util.List;

/** Babel's code, with faults mended that its version has and that change what a script does. */
final class BabelBundle {

  private static final String PATH = "/" + TransformCompiler.LIBRARY;

  /** A place that is there exactly so often, and what is written instead. */
  private record Mend(int times, String fault, String right) {}

  private static final List<Mend> MENDS =
      List.of(
          // An await in the finally of an async generator ended it there.
          new Mend(
              1,
              "var nextKey=\"return\"===key?\"return\":\"next\"",
              "var nextKey=\"return\"===key&&value.k?\"return\":\"next\""),
          // A rest object took "__proto__" of JSON for its prototype.
          new Mend(
              1,
              "if (excluded.indexOf(key) >= 0) continue;\\n      target[key] = source[key];",
              "if (excluded.indexOf(key) >= 0) continue;\\n"
                  + "      if (key === '__proto__') Object.defineProperty(target, key, {value:"
                  + " source[key], writable: true, enumerable: true, configurable: true});"
                  + " else target[key] = source[key];"),
          new Mend(
              2,
              "new Error(\"Generator is already running\")",
              "new TypeError(\"Generator is already running\")"));

  private BabelBundle() {}

  static String source() {
    String source = Resources.text(PATH);
    for (Mend mend : MENDS) {
      source = mended(source, mend);
    }
    return source;
  }

  private static String mended(String source, Mend mend) {
    int times = 0;
    for (int at = source.indexOf(mend.fault()); at >= 0; times++) {
      at = source.indexOf(mend.fault(), at + 1);
    }
    if (times != mend.times()) {
      throw new IllegalStateException("this Babel is not the one that was mended");
    }
    return source.replace(mend.fault(), mend.right());
  }
}
