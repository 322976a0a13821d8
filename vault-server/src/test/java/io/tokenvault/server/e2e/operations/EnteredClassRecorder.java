package io.tokenvault.server.e2e.operations;

import io.tokenvault.server.environment.Unchecked;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.agent.builder.AgentBuilder.RedefinitionStrategy;
import net.bytebuddy.agent.builder.ResettableClassFileTransformer;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.matcher.ElementMatchers;

/**
 * Records the main classes of the vault whose methods or constructors are entered, until it is
 * closed. A lambda counts as its declaring class; nested classes, records, enums and exceptions
 * count as separate classes.
 */
public final class EnteredClassRecorder implements AutoCloseable {

  private static final String VAULT_PACKAGES = "io.tokenvault.";

  /** Entered by every request, and by no other work. */
  private static final String HTTP_PACKAGES = "io.tokenvault.adapters.http.";

  private static final long IDLE_MILLIS = 300;
  private static final Map<Thread, Set<String>> BY_THREAD = new ConcurrentHashMap<>();

  private final Instrumentation instrumentation = ByteBuddyAgent.install();
  private final ResettableClassFileTransformer transformer;

  EnteredClassRecorder() {
    this.transformer =
        new AgentBuilder.Default()
            .disableClassFormatChanges()
            .with(RedefinitionStrategy.RETRANSFORMATION)
            .type(
                (type, loader, module, redefined, domain) ->
                    type.getName().startsWith(VAULT_PACKAGES) && !isTest(domain))
            .transform(
                (builder, type, loader, module, domain) ->
                    builder.visit(
                        Advice.to(Entry.class)
                            .on(ElementMatchers.isMethod().or(ElementMatchers.isConstructor()))))
            .installOn(instrumentation);
  }

  /** Classes generated at run time have no code source, and are not recorded either. */
  private static boolean isTest(ProtectionDomain domain) {
    return domain == null
        || domain.getCodeSource() == null
        || domain.getCodeSource().getLocation().getPath().contains("test");
  }

  /**
   * Sends a request, during which no other may be sent.
   *
   * @return the classes that were entered by the thread that served it, ordered by name
   */
  Set<String> recordDuring(Runnable request) {
    BY_THREAD.clear();
    request.run();
    awaitIdle();
    Set<String> entered = new TreeSet<>();
    BY_THREAD.values().stream().filter(EnteredClassRecorder::isOfRequest).forEach(entered::addAll);
    return entered;
  }

  /** Returns the classes that other threads entered during the last request. */
  Set<String> enteredByOtherThreads() {
    Set<String> entered = new TreeSet<>();
    BY_THREAD.values().stream()
        .filter(names -> !isOfRequest(names))
        .flatMap(Set::stream)
        .forEach(entered::add);
    return entered;
  }

  private static boolean isOfRequest(Set<String> names) {
    return names.stream().anyMatch(name -> name.startsWith(HTTP_PACKAGES));
  }

  /** Waits for the serving thread, which finishes after the response is received. */
  private static void awaitIdle() {
    long before = -1;
    for (long now = count(); now != before; now = count()) {
      before = now;
      Unchecked.run(() -> Thread.sleep(IDLE_MILLIS));
    }
  }

  private static long count() {
    return BY_THREAD.values().stream()
        .filter(EnteredClassRecorder::isOfRequest)
        .flatMap(Set::stream)
        .count();
  }

  /** Records an entered class; called by the instrumented classes. */
  public static void record(String className) {
    BY_THREAD
        .computeIfAbsent(Thread.currentThread(), thread -> ConcurrentHashMap.newKeySet())
        .add(className);
  }

  @Override
  public void close() {
    transformer.reset(instrumentation, RedefinitionStrategy.RETRANSFORMATION);
  }

  /** Advice that is inlined at the start of each method. */
  private static final class Entry {

    private Entry() {}

    @Advice.OnMethodEnter
    static void enter(@Advice.Origin("#t") String className) {
      record(className);
    }
  }
}
