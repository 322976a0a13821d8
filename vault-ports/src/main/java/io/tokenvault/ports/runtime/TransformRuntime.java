package io.tokenvault.ports.runtime;

import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.proxy.TransformCode;
import io.tokenvault.domain.tenant.TenantId;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Compiles the code of transforms. Implementations are thread-safe.
 *
 * <p>Code is not trusted: it is compiled, and its exports are inspected, in isolation.
 */
public interface TransformRuntime {

  /**
   * Returns the name and version of the compiler. The output of any other compiler must be compiled
   * again before it runs.
   */
  String compiler();

  /**
   * Compiles code and verifies that it exports a function. This can take seconds.
   *
   * @throws RefusedException with cause {@code OVERLOADED} if no compiler is available
   */
  Compilation compile(TenantId tenantId, TransformCode code);

  /** Returns the state of the operator's modules; empty if there is no folder of them. */
  default Optional<ModuleStatus> modules() {
    return Optional.empty();
  }

  /**
   * The state of the operator's modules.
   *
   * @param complete whether all modules that transforms can require by the names of packages and
   *     files are compiled; one that is not is compiled when it is required
   * @param compiled the number of usable modules so far, including those that these require
   * @param failed the number of modules that cannot be used
   */
  record ModuleStatus(boolean complete, int compiled, int failed) {}

  /** The outcome of a compilation. */
  sealed interface Compilation {

    /** The code compiled and can be run. */
    record Compiled(CompiledTransform transform) implements Compilation {
      public Compiled {
        Objects.requireNonNull(transform, "transform");
      }
    }

    /** The code cannot be run, or would run incorrectly. */
    record Refused(List<Flaw> flaws) implements Compilation {
      public Refused {
        flaws = List.copyOf(flaws);
        if (flaws.isEmpty()) {
          throw new IllegalArgumentException("code is refused for a reason");
        }
      }
    }

    /**
     * A reason why code is rejected.
     *
     * @param line from 1
     * @param column from 1
     * @param message the problem, and how to fix it
     */
    record Flaw(int line, int column, String message) {
      public Flaw {
        Objects.requireNonNull(message, "message");
      }
    }
  }
}
