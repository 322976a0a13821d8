package io.tokenvault.ports.runtime;

import java.util.List;
import java.util.Objects;

/**
 * A transform's code in executable form. It is as secret as the source.
 *
 * @param compiler the compiler that produced it, see {@link TransformRuntime#compiler()}
 * @param program meaningful only to that compiler's runtime
 * @param requires the operator's modules that the code names
 */
public record CompiledTransform(String compiler, String program, List<String> requires) {
  public CompiledTransform {
    Objects.requireNonNull(compiler, "compiler");
    Objects.requireNonNull(program, "program");
    requires = List.copyOf(requires);
  }

  /** Returns the compiler only, because the program can be secret. */
  @Override
  public String toString() {
    return "CompiledTransform[" + compiler + "]";
  }
}
