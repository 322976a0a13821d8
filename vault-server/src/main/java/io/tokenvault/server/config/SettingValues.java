package io.tokenvault.server.config;

import io.tokenvault.domain.secret.SensitiveValue;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Raw settings from the environment and, with lower precedence, a properties file.
 *
 * <p>Reading a value records what is wrong with it, so that all problems can be reported together
 * and each of them once. A method returns a usable value even after a problem; the caller ends with
 * {@link #throwIfAnyProblem}.
 */
final class SettingValues {

  /** Default limit in bytes of the memory for bodies. */
  static final long QUARTER_OF_HEAP = Runtime.getRuntime().maxMemory() / 4;

  private final Map<String, String> values = new HashMap<>();
  private final Set<String> problems = new TreeSet<>();

  /**
   * Reads the environment and the properties file that it may name.
   *
   * @param kept the settings that are taken from there
   * @param chosen values that take precedence
   */
  SettingValues(Map<String, String> environment, Set<Setting> kept, Map<Setting, String> chosen) {
    Optional.ofNullable(environment.get(Setting.CONFIG_FILE.variable()))
        .filter(file -> !file.isBlank())
        .ifPresent(this::readPropertiesFile);
    environment.forEach(
        (name, value) -> {
          if (!ForeignVariables.include(name, value)) {
            take(name, value);
          }
        });
    values.keySet().removeIf(name -> kept.stream().noneMatch(setting -> setting.isNamed(name)));
    chosen.forEach(
        (setting, value) -> {
          values.keySet().removeIf(setting::isNamed);
          values.put(setting.variable(), value);
        });
  }

  /**
   * Reads the properties file. Names without the prefix are problems there, unlike in the
   * environment.
   */
  private void readPropertiesFile(String file) {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(Path.of(file), StandardCharsets.UTF_8)) {
      properties.load(reader);
    } catch (IOException | IllegalArgumentException unreadable) {
      problem(Setting.CONFIG_FILE, "is a file that cannot be read as properties in UTF-8");
      return;
    }
    properties
        .stringPropertyNames()
        .forEach(
            name -> {
              if (!name.startsWith(Setting.PREFIX)) {
                problems.add(name + " in the properties file is not the name of a setting");
              }
              if (name.equals(Setting.CONFIG_FILE.variable())) {
                problem(Setting.CONFIG_FILE, "cannot be set in a properties file");
              }
              take(name, properties.getProperty(name));
            });
  }

  /** Stores a value. A name with the prefix that is not a setting is a problem. */
  private void take(String name, String value) {
    if (!name.startsWith(Setting.PREFIX)) {
      return;
    }
    if (Setting.isKnown(name)) {
      values.put(name, value);
    } else {
      problems.add(name + " is not the name of a setting");
    }
  }

  /**
   * Records a problem.
   *
   * @param message the predicate of a sentence whose subject is the name of the setting
   */
  void problem(Setting setting, String message) {
    problems.add(setting.variable() + " " + message);
  }

  /**
   * Returns the value or the default, without surrounding whitespace; empty if there is neither.
   */
  Optional<String> text(Setting setting) {
    return Optional.ofNullable(values.get(setting.variable()))
        .map(String::strip)
        .filter(value -> !value.isEmpty())
        .or(setting::defaultValue);
  }

  /** Returns the value, or the content of the file that the {@code _FILE} variant names. */
  Optional<SensitiveValue> secret(Setting setting) {
    Optional<String> direct = text(setting);
    Optional<String> file =
        Optional.ofNullable(values.get(setting.fileVariable())).filter(name -> !name.isBlank());
    if (direct.isPresent() && file.isPresent()) {
      problem(setting, "and " + setting.fileVariable() + " are both set; set one");
    }
    return file.isPresent()
        ? file.flatMap(name -> secretFrom(setting, name))
        : direct.map(SensitiveValue::ofText);
  }

  private Optional<SensitiveValue> secretFrom(Setting setting, String file) {
    try {
      return Optional.of(SensitiveValue.ofText(Files.readString(Path.of(file)).strip()));
    } catch (IOException | InvalidPathException unreadable) {
      problems.add(setting.fileVariable() + " is a file that cannot be read");
      return Optional.empty();
    }
  }

  /** Returns a whole number within the bounds of an {@code int}; the least one after a problem. */
  int count(Setting setting) {
    return (int) number(setting, setting.min);
  }

  /** Returns a time in milliseconds. */
  Duration millis(Setting setting) {
    return Duration.ofMillis(number(setting, setting.min));
  }

  Duration seconds(Setting setting) {
    return Duration.ofSeconds(number(setting, setting.min));
  }

  /**
   * Returns a whole number within the bounds of the setting.
   *
   * @param fallback returned if there is neither a value nor a default, or it is not valid
   */
  long number(Setting setting, long fallback) {
    Optional<String> text = text(setting);
    if (text.isEmpty()) {
      return fallback;
    }
    try {
      long number = Long.parseLong(text.get());
      if (number >= setting.min && number <= setting.max) {
        return number;
      }
    } catch (NumberFormatException notANumber) {
      // Reported below together with numbers that are out of range.
    }
    problem(setting, "must be a whole number from " + setting.min + " to " + setting.max);
    return fallback;
  }

  /**
   * Returns whether the value is {@code true}; anything but {@code true} and {@code false} is a
   * problem.
   */
  boolean flag(Setting setting) {
    String text = text(setting).orElse("false");
    if (!text.equals("true") && !text.equals("false")) {
      problem(setting, "must be true or false");
    }
    return text.equals("true");
  }

  /**
   * Returns whether the value is the second of two words; anything but these two is a problem.
   *
   * @param first also taken if there is neither a value nor a default
   */
  boolean choice(Setting setting, String first, String second) {
    String text = text(setting).orElse(first);
    if (!text.equals(first) && !text.equals(second)) {
      problem(setting, "must be " + first + " or " + second);
    }
    return text.equals(second);
  }

  /** Returns the value as a path, which need not exist. */
  Optional<Path> path(Setting setting) {
    try {
      return text(setting).map(Path::of);
    } catch (InvalidPathException invalid) {
      problem(setting, "is not a path");
      return Optional.empty();
    }
  }

  /** Returns the value as a path; a file that cannot be read is a problem. */
  Optional<Path> readableFile(Setting setting) {
    Optional<Path> file = path(setting);
    if (file.isPresent() && (Files.isDirectory(file.get()) || !Files.isReadable(file.get()))) {
      problem(setting, "is a file that cannot be read");
    }
    return file;
  }

  /**
   * Returns values that are separated by commas; empty if there is no value. Commas alone are a
   * problem.
   */
  List<String> list(Setting setting) {
    Optional<String> text = text(setting);
    List<String> items =
        text.stream()
            .flatMap(all -> Arrays.stream(all.split(",")))
            .map(String::strip)
            .filter(item -> !item.isEmpty())
            .toList();
    if (text.isPresent() && items.isEmpty()) {
      problem(setting, "contains only separators; set a value or remove the setting");
    }
    return items;
  }

  /**
   * Reports all problems that were recorded.
   *
   * @throws ConfigurationException if there are any
   */
  void throwIfAnyProblem() {
    if (!problems.isEmpty()) {
      throw new ConfigurationException(List.copyOf(problems));
    }
  }

  /**
   * Recognizes environment variables of other software whose names start like settings.
   *
   * <p>They belong to the client and the agents of HashiCorp Vault, or are set by Kubernetes in
   * every container for services whose names begin with {@code vault}. All other unknown names with
   * the prefix are problems, since they are probably misspelled settings.
   */
  static final class ForeignVariables {

    private static final Pattern OF_HASHICORP_VAULT =
        Pattern.compile(
            "VAULT_(?:ADDR|AGENT_ADDR|API_ADDR|CACERT|CACERT_BYTES|CAPATH|CLIENT_CERT"
                + "|CLIENT_KEY|CLIENT_TIMEOUT|CLI_NO_COLOR|CLUSTER_ADDR|CONFIG_PATH"
                + "|DETAILED|DISABLE_REDIRECTS|FORMAT|HEADERS|HTTP_PROXY|INSECURE"
                + "|K8S_NAMESPACE|K8S_POD_NAME|LICENSE|LICENSE_PATH|LOG_LEVEL|MAX_RETRIES"
                + "|MFA|NAMESPACE|PROXY_ADDR|RATE_LIMIT|REDIRECT_ADDR|SKIP_VERIFY"
                + "|SRV_LOOKUP|TLS_SERVER_NAME|TOKEN|UI|WRAP_TTL|RAFT_[A-Z0-9_]+)");

    /** Variables of the service {@code vault}, and of others such as {@code vault-ui}. */
    private static final Pattern SERVICE_LINK =
        Pattern.compile(
            "VAULT_(?:[A-Z0-9_]+_)?"
                + "(?:SERVICE_HOST|SERVICE_PORT(?:_[A-Z0-9_]+)?"
                + "|PORT_[0-9]+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)");

    private static final Pattern SERVICE_PORT = Pattern.compile("VAULT_(?:[A-Z0-9_]+_)?PORT");
    private static final Pattern SERVICE_URL = Pattern.compile("(?:tcp|udp|sctp)://.*");

    private ForeignVariables() {}

    /**
     * Returns whether a variable belongs to other software.
     *
     * <p>{@code VAULT_PORT} is a setting, unless its value is the URL of a Kubernetes service.
     */
    static boolean include(String name, String value) {
      return OF_HASHICORP_VAULT.matcher(name).matches()
          || SERVICE_LINK.matcher(name).matches()
          || (SERVICE_PORT.matcher(name).matches() && SERVICE_URL.matcher(value).matches());
    }
  }
}
