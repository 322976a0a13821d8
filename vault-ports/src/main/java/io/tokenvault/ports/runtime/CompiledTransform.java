package io.tokenvault.ports.runtime;

import java.util.List;
import java.util.Objects;

/**
 * Code in the form in which it runs. As secret as the code itself.
 *
 * @param compiler what made it, see {@link TransformRuntime#compiler()}
 * @param program meaningful to that compiler's runtime only
 * @param requires the modules of the operator's that it names
 */
public record CompiledTransform(String compiler, String program, List<String> requires) {
  public CompiledTransform {
    Objects.requireNonNull(compiler, "compiler");
    Objects.requireNonNull(program, "program");
    requires = List.copyOf(requires);
  }

  /** The compiler only. */
  @Override
  public String toString() {
    return "CompiledTransform[" + compiler + "]";
  }
}
