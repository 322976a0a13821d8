package io.tokenvault.server.e2e.operations;

import io.tokenvault.server.place.Unchecked;
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
 * Records, until it is closed, of which main classes of the vault a method or constructor is
 * entered. A lambda counts as the class that it is written in; nested classes, records, enums and
 * exceptions count like all others.
 */
public final class EnteredClasses implements AutoCloseable {

  private static final String OURS = "io.tokenvault.";

  /** Every request passes here, and no other work does. */
  private static final String EDGE = "io.tokenvault.adapters.http.";

  private static final long REST_MILLIS = 300;
  private static final Map<Thread, Set<String>> BY_THREAD = new ConcurrentHashMap<>();

  private final Instrumentation instrumentation = ByteBuddyAgent.install();
  private final ResettableClassFileTransformer transformer;

  EnteredClasses() {
    this.transformer =
        new AgentBuilder.Default()
            .disableClassFormatChanges()
            .with(RedefinitionStrategy.RETRANSFORMATION)
            .type(
                (type, loader, module, redefined, domain) ->
                    type.getName().startsWith(OURS) && !isTest(domain))
            .transform(
                (builder, type, loader, module, domain) ->
                    builder.visit(
                        Advice.to(Entry.class)
                            .on(ElementMatchers.isMethod().or(ElementMatchers.isConstructor()))))
            .installOn(instrumentation);
  }

  /** Classes made at run time have no domain that says where they come from. */
  private static boolean isTest(ProtectionDomain domain) {
    return domain == null
        || domain.getCodeSource() == null
        || domain.getCodeSource().getLocation().getPath().contains("test");
  }

  /**
   * Sends one request while nothing else is sent.
   *
   * @return the classes that were entered by the thread that served it, in the order of their names
   */
  Set<String> during(Runnable request) {
    BY_THREAD.clear();
    request.run();
    awaitRest();
    Set<String> entered = new TreeSet<>();
    BY_THREAD.values().stream().filter(EnteredClasses::isOfRequest).forEach(entered::addAll);
    return entered;
  }

  /** The classes that other threads entered during the last request or beside it. */
  Set<String> elsewhere() {
    Set<String> entered = new TreeSet<>();
    BY_THREAD.values().stream()
        .filter(names -> !isOfRequest(names))
        .flatMap(Set::stream)
        .forEach(entered::add);
    return entered;
  }

  private static boolean isOfRequest(Set<String> names) {
    return names.stream().anyMatch(name -> name.startsWith(EDGE));
  }

  /** The response is received before its thread has finished. */
  private static void awaitRest() {
    long before = -1;
    for (long now = count(); now != before; now = count()) {
      before = now;
      Unchecked.run(() -> Thread.sleep(REST_MILLIS));
    }
  }

  private static long count() {
    return BY_THREAD.values().stream()
        .filter(EnteredClasses::isOfRequest)
        .flatMap(Set::stream)
        .count();
  }

  /** Called by the instrumented classes. */
  public static void note(String className) {
    BY_THREAD
        .computeIfAbsent(Thread.currentThread(), thread -> ConcurrentHashMap.newKeySet())
        .add(className);
  }

  @Override
  public void close() {
    transformer.reset(instrumentation, RedefinitionStrategy.RETRANSFORMATION);
  }

  /** Is copied to the beginning of each method. */
  private static final class Entry {

    private Entry() {}

    @Advice.OnMethodEnter
    static void enter(@Advice.Origin("#t") String className) {
      note(className);
    }
  }
}
