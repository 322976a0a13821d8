package io.tokenvault.server.config;

import java.util.List;

/** The configuration is wrong; all that is wrong is named, and no secret value is. */
public final class ConfigurationException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient List<String> problems;

  public ConfigurationException(List<String> problems) {
    super("The configuration is not valid:\n  " + String.join("\n  ", problems));
    this.problems = List.copyOf(problems);
  }

  public ConfigurationException(String problem) {
    this(List.of(problem));
  }

  /** Everything that is wrong, a sentence each. */
  public List<String> problems() {
    return problems;
  }
}
