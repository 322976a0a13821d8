package io.tokenvault.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.ports.crypto.FieldCipher;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class ArchitectureTest {

  private static final String PLANTED = "io.tokenvault.planted";

  /** Besides {@code package-info}. */
  private static final int MAX_FILES = 25;

  private static final JavaClasses CODE =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(location -> !location.contains("-tests.jar"))
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
  void everyClassAllowedToOpenSecretDoesSo() {
    assertThat(callers(SensitiveValue.class, "open"))
        .containsExactlyInAnyOrderElementsOf(ArchitectureRules.openers());
    assertThat(callers(FieldCipher.class, "decrypt"))
        .containsExactlyInAnyOrderElementsOf(ArchitectureRules.decrypters());
  }

  private static Set<String> callers(Class<?> owner, String method) {
    return CODE.get(owner).getAccessesToSelf().stream()
        .filter(access -> access.getName().equals(method))
        .map(access -> ArchitectureRules.topLevel(access.getOriginOwner()))
        .collect(Collectors.toSet());
  }
}
