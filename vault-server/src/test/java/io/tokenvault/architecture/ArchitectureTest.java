package io.tokenvault.architecture;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.ports.crypto.FieldCipher;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class ArchitectureTest {

  private static final String PLANTED = "io.tokenvault.planted";

  /** Excludes {@code package-info}. */
  private static final int MAX_FILES = 25;

  private static final JavaClasses CODE =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(location -> !location.contains("tck"))
          .importPackages("io.tokenvault");
  private static final JavaClasses PLANTED_CODE = new ClassFileImporter().importPackages(PLANTED);

  @TestFactory
  Stream<DynamicTest> codeSatisfiesEveryRule() {
    return new ArchitectureRules("io.tokenvault", MAX_FILES)
        .all().entrySet().stream()
            .map(rule -> dynamicTest(rule.getKey(), () -> rule.getValue().check(CODE)));
  }

  @TestFactory
  Stream<DynamicTest> everyRuleFailsOnPlantedClass() {
    return new ArchitectureRules(PLANTED, 1)
        .all().entrySet().stream()
            .map(
                rule ->
                    dynamicTest(
                        rule.getKey(),
                        () ->
                            assertThat(rule.getValue().evaluate(PLANTED_CODE).hasViolation())
                                .isTrue()));
  }

  @Test
  void everyPackageNamedByRulesHasClasses() {
    Set<String> packages =
        CODE.stream().map(type -> type.getPackageName()).collect(Collectors.toSet());

    assertThat(new ArchitectureRules("io.tokenvault", MAX_FILES).packages())
        .allSatisfy(name -> assertThat(packages).anyMatch(each -> each.startsWith(name)));
  }

  @Test
  void everyArtifactHasItsOwnPackagesAndModuleName() {
    Map<String, Set<String>> artifacts =
        CODE.stream()
            .collect(
                groupingBy(JavaClass::getPackageName, mapping(ArchitectureTest::folder, toSet())));
    List<String> modules =
        artifacts.values().stream()
            .flatMap(Set::stream)
            .distinct()
            .map(ArchitectureTest::moduleName)
            .toList();

    assertThat(artifacts).allSatisfy((name, folders) -> assertThat(folders).as(name).hasSize(1));
    assertThat(modules).allMatch(name -> name.matches("[a-z.]+")).doesNotHaveDuplicates();
  }

  /** Returns the folder of the Maven module that a class is built in. */
  private static String folder(JavaClass type) {
    String location = type.getSource().orElseThrow().getUri().toString();
    return location.substring(location.indexOf("file:"), location.lastIndexOf("/target/"));
  }

  private static String moduleName(String folder) {
    try {
      String pom = Files.readString(Path.of(URI.create(folder)).resolve("pom.xml"));
      return pom.replaceFirst("(?s).*<vault\\.module>(.+?)</vault\\.module>.*", "$1");
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  @Test
  void everyClassAllowedToOpenSecretDoesSo() {
    assertThat(callers(SensitiveValue.class, "open"))
        .containsExactlyInAnyOrderElementsOf(ArchitectureRules.OPENERS);
    assertThat(callers(FieldCipher.class, "decrypt"))
        .containsExactlyInAnyOrderElementsOf(ArchitectureRules.DECRYPTERS);
  }

  private static Set<String> callers(Class<?> owner, String method) {
    return CODE.get(owner).getAccessesToSelf().stream()
        .filter(access -> access.getName().equals(method))
        .map(access -> ArchitectureRules.topLevel(access.getOriginOwner()))
        .collect(Collectors.toSet());
  }
}
