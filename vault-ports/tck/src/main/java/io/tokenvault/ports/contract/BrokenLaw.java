package io.tokenvault.ports.contract;

import io.tokenvault.ports.contract.crypto.KeysetRegistryContract;
import io.tokenvault.ports.contract.token.TokenDeduplicationContract;
import io.tokenvault.ports.contract.token.TokenQueryContract;
import io.tokenvault.ports.contract.token.TokenStoreContract;
import io.tokenvault.ports.contract.token.TokenUpdateContract;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/**
 * Adds to each failure the broken law and the suites to pass first, because later suites depend on
 * what earlier ones test.
 */
public final class BrokenLaw
    implements TestExecutionExceptionHandler, LifecycleMethodExecutionExceptionHandler {

  /** The order in which the suites should pass. */
  private static final List<Class<?>> ORDER =
      List.of(
          StorageContract.class,
          ReadinessContract.class,
          TenantStoreContract.class,
          AuditLogContract.class,
          ApplicationStoreContract.class,
          CredentialStoreContract.class,
          KeyStoreContract.class,
          KeysetRegistryContract.class,
          TokenStoreContract.class,
          TokenQueryContract.class,
          TokenUpdateContract.class,
          TokenDeduplicationContract.class,
          EncryptedFieldsContract.class,
          ProxyStoreContract.class,
          RequestLookupContract.class,
          AuditRecorderContract.class,
          KeyGraceContract.class,
          RequestJournalContract.class);

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    throw describe(context, failure);
  }

  @Override
  public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    throw describe(context, failure);
  }

  private static Throwable describe(ExtensionContext context, Throwable failure) {
    if (failure instanceof TestAbortedException) {
      return failure;
    }
    Class<?> suite = context.getRequiredTestMethod().getDeclaringClass();
    AssertionError described =
        new AssertionError(
            "Law of %s: %s.%s%n%s"
                .formatted(
                    suite.getSimpleName(),
                    inWords(context.getRequiredTestMethod().getName()),
                    earlierSuites(suite),
                    failure),
            failure);
    described.setStackTrace(failure.getStackTrace());
    return described;
  }

  private static String inWords(String method) {
    return method.replaceAll("(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
  }

  private static String earlierSuites(Class<?> suite) {
    int index = ORDER.indexOf(suite);
    return index < 1
        ? ""
        : ORDER.subList(0, index).stream()
            .map(Class::getSimpleName)
            .collect(Collectors.joining(", ", " Suites to pass first: ", "."));
  }
}
