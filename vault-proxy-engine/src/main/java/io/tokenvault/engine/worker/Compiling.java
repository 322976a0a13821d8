package io.tokenvault.engine.worker;

import io.tokenvault.engine.wire.FromWorker;
import io.tokenvault.engine.wire.FromWorker.Flaw;
import io.tokenvault.engine.wire.FromWorker.Refused;
import io.tokenvault.engine.wire.ToWorker;
import java.util.List;

/** Compiles; this one refuses everything, until the compiler is there. */
interface Compiling {

  FromWorker compile(ToWorker.Compile compile);

  static Compiling load(List<String> errorModules) {
    return compile -> new Refused(List.of(new Flaw(1, 1, "This worker has no compiler.")));
  }
}
