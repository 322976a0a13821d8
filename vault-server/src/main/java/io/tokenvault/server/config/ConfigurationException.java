package io.tokenvault.server.config;

import java.util.List;

/**
 * Reports that the configuration is not valid. The message lists all problems and never contains a
 * secret value.
 */
public final class ConfigurationException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient List<String> problems;

  /**
   * Creates the exception for several problems.
   *
   * @param problems a sentence for each; they must not quote secret values
   */
  public ConfigurationException(List<String> problems) {
    super("Invalid configuration:\n  " + String.join("\n  ", problems));
    this.problems = List.copyOf(problems);
  }

  public ConfigurationException(String problem) {
    this(List.of(problem));
  }

  /** Returns all problems, a sentence for each. */
  public List<String> problems() {
    return problems;
  }
}
