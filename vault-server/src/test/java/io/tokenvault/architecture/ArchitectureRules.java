package io.tokenvault.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.AndFullName.Predicates.fullName;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.CompositeArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.ports.crypto.FieldCipher;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The architecture rules for a root package; a test also runs them on planted violations. */
final class ArchitectureRules {

  /** The classes that may open a sensitive value; each must do so. */
  static final Set<String> OPENERS =
      Set.of(
          "io.tokenvault.adapters.http.response.JsonRenderer",
          "io.tokenvault.adapters.jdbi.sql.DatabaseConnections",
          "io.tokenvault.adapters.http.resource.IdempotencyFilter",
          "io.tokenvault.engine.pipeline.ResponseRecorder",
          "io.tokenvault.engine.transform.TransformContext",
          "io.tokenvault.engine.expression.template.TokenValues",
          "io.tokenvault.ports.usecase.idempotency.ResponseCipher",
          "io.tokenvault.ports.usecase.proxy.CompiledModules",
          "io.tokenvault.ports.usecase.proxy.ProxyCipher",
          "io.tokenvault.ports.usecase.token.TokenContents",
          "io.tokenvault.server.assembly.IssuedKeyLine",
          "io.tokenvault.server.config.EgressReader",
          "io.tokenvault.server.crypto.CurrentKeys",
          "io.tokenvault.server.crypto.TinkTenantCrypto");

  /** The classes that may decrypt; each must do so. */
  static final Set<String> DECRYPTERS =
      Set.of(
          "io.tokenvault.ports.usecase.idempotency.ResponseCipher",
          "io.tokenvault.ports.usecase.proxy.CompiledModules",
          "io.tokenvault.ports.usecase.proxy.ProxyCipher",
          "io.tokenvault.ports.usecase.token.TokenContents",
          // Delegates to the cipher with the current master keyset.
          "io.tokenvault.server.crypto.CurrentKeys");

  private static final String SECRET_NAME = "(?i).*(?:password|secret|plaintext|apiKey|proxyKey)";

  private final String root;
  private final int maxFiles;

  /**
   * Creates the rules.
   *
   * @param maxFiles maximum number of top-level classes in a package
   */
  ArchitectureRules(String root, int maxFiles) {
    this.root = root;
    this.maxFiles = maxFiles;
  }

  /** Returns all rules by name, in the order of the architecture page. */
  Map<String, ArchRule> all() {
    Map<String, ArchRule> rules = new LinkedHashMap<>();
    rules.put("domainUsesTheJdkOnly", domainUsesTheJdkOnly());
    rules.put("portsUseDomainAndJdkOnly", portsUseDomainAndJdkOnly());
    rules.put("drivenPortsDoNotUseUseCases", drivenPortsDoNotUseUseCases());
    rules.put("adaptersDoNotUseEachOther", adaptersDoNotUseEachOther());
    libraries().forEach((library, rule) -> rules.put(library + "StaysInItsAdapter", rule));
    rules.put("onlyEntriesArePublicAtAnAdaptersRoot", onlyEntriesArePublicAtAnAdaptersRoot());
    rules.put("onlyListedClassesOpenSecrets", onlyListedClassesOpenSecrets());
    rules.put("onlyListedClassesDecrypt", onlyListedClassesDecrypt());
    rules.put("tokensAreDecryptedOnlyWhereRecorded", tokensAreDecryptedOnlyWhereRecorded());
    rules.put("recordsHaveNoPlainSecret", recordsHaveNoPlainSecret());
    rules.put("logAndFailuresHaveNoSecret", logAndFailuresHaveNoSecret());
    rules.put("externalInputsAreReadAtTheRootOnly", externalInputsAreReadAtTheRootOnly());
    rules.put("packagesHaveNoCycles", packagesHaveNoCycles());
    rules.put("packagesAreSmall", packagesAreSmall());
    rules.put("classNamesAreSpecific", classNamesAreSpecific());
    return rules;
  }

  /** Returns the packages that rules name; each must have classes, or its rules always pass. */
  List<String> packages() {
    return List.of(
        root + ".domain",
        root + ".ports.store",
        root + ".ports.crypto",
        root + ".ports.audit",
        root + ".ports.runtime",
        root + ".ports.usecase",
        root + ".ports.api",
        root + ".adapters.jdbi",
        root + ".adapters.http",
        root + ".engine",
        root + ".server");
  }

  private ArchRule domainUsesTheJdkOnly() {
    return classes()
        .that(resideInAPackage(root + ".domain.."))
        .should()
        .onlyDependOnClassesThat(resideInAnyPackage(root + ".domain..", "java.."));
  }

  private ArchRule portsUseDomainAndJdkOnly() {
    return classes()
        .that(resideInAPackage(root + ".ports.."))
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(root + ".ports..", "io.tokenvault.domain..", "java.."));
  }

  private ArchRule drivenPortsDoNotUseUseCases() {
    return noClasses()
        .that(
            resideInAnyPackage(
                root + ".ports.store..",
                root + ".ports.crypto..",
                root + ".ports.audit..",
                root + ".ports.runtime.."))
        .should()
        .dependOnClassesThat(resideInAPackage(root + ".ports.usecase.."));
  }

  private ArchRule adaptersDoNotUseEachOther() {
    return CompositeArchRule.of(noDependencies(".adapters.jdbi", ".adapters.http", ".engine"))
        .and(noDependencies(".adapters.http", ".adapters.jdbi", ".engine"))
        .and(noDependencies(".engine", ".adapters.jdbi", ".adapters.http"));
  }

  private ArchRule noDependencies(String one, String... others) {
    String[] packages =
        Arrays.stream(others).map(other -> root + other + "..").toArray(String[]::new);
    return noClasses()
        .that(resideInAPackage(root + one + ".."))
        .should()
        .dependOnClassesThat(resideInAnyPackage(packages));
  }

  private Map<String, ArchRule> libraries() {
    return Map.of(
        "persistence",
        onlyIn(".adapters.jdbi", "org.jdbi..", "java.sql..", "org.flywaydb..", "com.zaxxer.."),
        "web",
        onlyIn(
            ".adapters.http",
            "io.javalin..",
            "jakarta.validation..",
            "org.hibernate..",
            "org.apache.lucene.."),
        "client",
        onlyIn(
            ".engine",
            "okhttp3",
            "okhttp3.internal..",
            "okio..",
            "org.mozilla..",
            "liqp..",
            "com.jayway.."),
        "crypto",
        onlyIn(".server.crypto", "com.google.crypto.."),
        "json",
        noClasses()
            .that(resideInAnyPackage(root + ".domain..", root + ".ports.."))
            .should()
            .dependOnClassesThat(resideInAPackage("com.fasterxml.jackson..")));
  }

  private ArchRule onlyIn(String home, String... libraries) {
    return noClasses()
        .that(resideInAPackage(root + ".."))
        .and(resideOutsideOfPackage(root + home + ".."))
        .should()
        .dependOnClassesThat(resideInAnyPackage(libraries));
  }

  private ArchRule onlyEntriesArePublicAtAnAdaptersRoot() {
    return classes()
        .that(resideInAnyPackage(root + ".adapters.jdbi", root + ".engine"))
        .and()
        .areTopLevelClasses()
        .and()
        .haveNameNotMatching(".*\\.(?:JdbiStores|ProxyEngine|TokenForwarder)")
        .should()
        .notBePublic();
  }

  private ArchRule onlyListedClassesOpenSecrets() {
    return classes()
        .that(resideInAPackage(root + ".."))
        .should(callOnlyFrom(OPENERS, SensitiveValue.class, "open"));
  }

  private ArchRule onlyListedClassesDecrypt() {
    return classes()
        .that(resideInAPackage(root + ".."))
        .should(callOnlyFrom(DECRYPTERS, FieldCipher.class, "decrypt"));
  }

  /** Allows only the class that records access to call the class that decrypts tokens. */
  private ArchRule tokensAreDecryptedOnlyWhereRecorded() {
    String reader = root + ".ports.usecase.token.TokenContents";
    return noClasses()
        .that(resideInAPackage(root + ".."))
        .and()
        .doNotHaveFullyQualifiedName(root + ".ports.usecase.token.TokenDecryptor")
        .and()
        .doNotHaveFullyQualifiedName(reader)
        .should()
        .callMethodWhere(
            target(nameMatching("decrypt|decryptData|shown")).and(target(owner(fullName(reader)))));
  }

  private static ArchCondition<JavaClass> callOnlyFrom(
      Set<String> callers, Class<?> owner, String method) {
    return new ArchCondition<>(
        "call " + owner.getSimpleName() + "." + method + " only from " + callers) {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        type.getAccessesFromSelf().stream()
            .filter(access -> access.getName().equals(method))
            .filter(access -> access.getTargetOwner().isAssignableTo(owner))
            .filter(access -> !callers.contains(topLevel(type)))
            .forEach(
                access ->
                    events.add(SimpleConditionEvent.violated(access, access.getDescription())));
      }
    };
  }

  static String topLevel(JavaClass type) {
    return type.getEnclosingClass().map(ArchitectureRules::topLevel).orElse(type.getFullName());
  }

  private ArchRule recordsHaveNoPlainSecret() {
    return fields()
        .that()
        .areDeclaredInClassesThat()
        .areRecords()
        .and()
        .areDeclaredInClassesThat(resideInAPackage(root + ".."))
        .and()
        .haveNameMatching(SECRET_NAME)
        .should()
        .notHaveRawType(String.class)
        .andShould()
        .notHaveRawType(byte[].class)
        .andShould()
        .notHaveRawType(char[].class);
  }

  private ArchRule logAndFailuresHaveNoSecret() {
    return noClasses()
        .that(resideInAnyPackage(root + ".domain.audit..", root + ".domain.failure.."))
        .should()
        .dependOnClassesThat(resideInAPackage("io.tokenvault.domain.secret.."));
  }

  private ArchRule externalInputsAreReadAtTheRootOnly() {
    return noClasses()
        .that(resideInAPackage(root + ".."))
        .and(not(resideInAPackage(root + ".server")))
        .and()
        .doNotHaveFullyQualifiedName(root + ".server.cli.VaultServer")
        .should()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethod(System.class, "getenv")
        .orShould()
        .callMethod(System.class, "getenv", String.class)
        .orShould()
        .callConstructor(SecureRandom.class);
  }

  private ArchRule packagesHaveNoCycles() {
    return slices().matching(root + ".(**)").should().beFreeOfCycles();
  }

  private ArchRule packagesAreSmall() {
    return classes().that(resideInAPackage(root + "..")).should(beInPackagesOfAtMost(maxFiles));
  }

  private static ArchCondition<JavaClass> beInPackagesOfAtMost(int max) {
    return new ArchCondition<>("be in packages of at most " + max + " files") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        long files =
            type.getPackage().getClasses().stream()
                .filter(each -> each.isTopLevelClass() && !each.isArray())
                .count();
        if (type.isTopLevelClass() && files > max) {
          String name = type.getPackageName();
          events.add(SimpleConditionEvent.violated(type, name + " has " + files + " files"));
        }
      }
    };
  }

  private ArchRule classNamesAreSpecific() {
    return classes()
        .that(resideInAPackage(root + ".."))
        .should()
        .haveNameNotMatching(".*(?:(?:Impl|Manager|Helper|Util|Utils)|(?:Answer|Kept|Seal).*)");
  }
}
