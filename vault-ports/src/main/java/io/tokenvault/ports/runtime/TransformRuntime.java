package io.tokenvault.ports.runtime;

import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.proxy.TransformCode;
import io.tokenvault.domain.tenant.TenantId;
import java.util.List;
import java.util.Objects;

/**
 * Turns the code of transforms into what can be run. All threads may share one instance.
 *
 * <p>Code is not trusted: it is compiled, and looked at for what it exports, where it can do no
 * harm.
 */
public interface TransformRuntime {

  /**
   * Names the compiler and its version. What another one compiled is to be compiled anew before it
   * runs.
   */
  String compiler();

  /**
   * Compiles code and sees that it exports a function. Can take seconds.
   *
   * @throws RefusedException of cause {@code OVERLOADED}, if nothing is free to compile it
   */
  Compilation compile(TenantId tenantId, TransformCode code);

  /** What became of code. */
  sealed interface Compilation {

    /** It can be run. */
    record Compiled(CompiledTransform transform) implements Compilation {
      public Compiled {
        Objects.requireNonNull(transform, "transform");
      }
    }

    /** It cannot be run, or would run wrong. */
    record Refused(List<Flaw> flaws) implements Compilation {
      public Refused {
        flaws = List.copyOf(flaws);
        if (flaws.isEmpty()) {
          throw new IllegalArgumentException("code is refused for a reason");
        }
      }
    }

    /**
     * What is wrong with code.
     *
     * @param line from 1
     * @param column from 1
     * @param message what is wrong, and what to write instead
     */
    record Flaw(int line, int column, String message) {
      public Flaw {
        Objects.requireNonNull(message, "message");
      }
    }
  }
}
