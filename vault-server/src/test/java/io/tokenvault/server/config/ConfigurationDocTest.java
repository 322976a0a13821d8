package io.tokenvault.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compares {@code docs/configuration.md} with the settings. */
final class ConfigurationDocTest {

  private static final Path PAGE = Path.of("..", "docs", "configuration.md");
  private static final Pattern NAME = Pattern.compile("VAULT_[A-Z0-9_]*[A-Z0-9]");

  @ParameterizedTest
  @EnumSource(Setting.class)
  void everySettingHasOneRowWithItsDefault(Setting setting) throws IOException {
    List<String> rows =
        Files.readAllLines(PAGE).stream()
            .filter(line -> line.startsWith("| `" + setting.variable() + "`"))
            .toList();
    assertThat(rows).hasSize(1);
    setting.defaultValue().ifPresent(value -> assertThat(rows.get(0)).contains("`" + value + "`"));
  }

  @ParameterizedTest
  @EnumSource(Setting.class)
  void onlySecretsAreListedWithFileVariable(Setting setting) throws IOException {
    assertThat(namesOnPage().contains(setting.fileVariable())).isEqualTo(setting.isSecret());
  }

  @Test
  void pageNamesOnlyExistingSettings() throws IOException {
    Set<String> known =
        Arrays.stream(Setting.values())
            .flatMap(
                setting ->
                    setting.isSecret()
                        ? Stream.of(setting.variable(), setting.fileVariable())
                        : Stream.of(setting.variable()))
            .collect(Collectors.toSet());
    assertThat(namesOnPage()).isSubsetOf(known);
  }

  private static Set<String> namesOnPage() throws IOException {
    return NAME.matcher(Files.readString(PAGE))
        .results()
        .map(MatchResult::group)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
