package io.tokenvault.server.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.ports.api.InvokeProxy;
import io.tokenvault.ports.api.ProxyAnswer;
import io.tokenvault.ports.api.ProxyCall;
import java.util.EnumMap;
import java.util.Map;

/** Counts how invocations of a proxy end. */
final class MeasuredProxy implements InvokeProxy {

  private final InvokeProxy proxy;
  private final MeterRegistry registry;
  private final Counter answered;
  private final Counter faults;
  private final Map<FailureCause, Counter> failures = new EnumMap<>(FailureCause.class);

  MeasuredProxy(InvokeProxy proxy, MeterRegistry registry) {
    this.proxy = proxy;
    this.registry = registry;
    this.answered = counter("answered");
    this.faults = counter("internal");
    for (FailureCause cause : FailureCause.values()) {
      failures.put(cause, counter(name(cause)));
    }
  }

  private Counter counter(String outcome) {
    return Counter.builder("vault.proxy.invocations")
        .description("Invocations by how they ended: answered, or the end of the problem's type")
        .tag("outcome", outcome)
        .register(registry);
  }

  private static String name(FailureCause cause) {
    return cause.urn().substring(cause.urn().lastIndexOf(':') + 1);
  }

  @Override
  public ProxyAnswer invoke(ProxyCall call) {
    try {
      ProxyAnswer answer = proxy.invoke(call);
      answered.increment();
      return answer;
    } catch (VaultException failed) {
      failures.get(failed.failure()).increment();
      throw failed;
    } catch (Throwable fault) {
      faults.increment();
      throw fault;
    }
  }
}
