package io.tokenvault.engine.transform;

import io.tokenvault.domain.proxy.TransformCode;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.engine.transform.TransformRunner.Ending;
import io.tokenvault.engine.transform.TransformRunner.Host;
import io.tokenvault.engine.transform.TransformRunner.Run;
import io.tokenvault.engine.wire.BodyKind;
import io.tokenvault.engine.wire.FromWorker.Outcome;
import io.tokenvault.ports.runtime.CompiledTransform;
import io.tokenvault.ports.runtime.TransformRuntime.Compilation;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** A tenant that compiles and runs hostile scripts. */
final class HostileTenant {

  private static final String CONTEXT =
      "{\"headers\":{\"authorization\":\"Bearer 4111\"},\"method\":\"POST\",\"path\":\"/\","
          + "\"query\":\"\",\"configuration\":{},\"bt\":true}";

  private final WorkerTransforms transforms;
  private final Map<String, CompiledTransform> compiled;
  private final TenantId tenant = new TenantId(UUID.randomUUID());

  HostileTenant(WorkerTransforms transforms) {
    this(transforms, new HashMap<>());
  }

  private HostileTenant(WorkerTransforms transforms, Map<String, CompiledTransform> compiled) {
    this.transforms = transforms;
    this.compiled = compiled;
  }

  /** Returns another tenant with the same transforms. */
  HostileTenant neighbour() {
    return new HostileTenant(transforms, compiled);
  }

  Compilation saves(String source) {
    return transforms.compile(tenant, new TransformCode(source));
  }

  Ending runs(String file, String body, Host host) {
    CompiledTransform code = compiled.computeIfAbsent(file, this::compiled);
    byte[] json = ('"' + body + '"').getBytes(StandardCharsets.UTF_8);
    return transforms.run(new Run(tenant, file, () -> code, BodyKind.JSON, json, CONTEXT), host);
  }

  /** Runs a function of a script and describes how it ended. */
  String says(String file, String body, Host host) {
    return told(runs(file, body, host));
  }

  private CompiledTransform compiled(String file) {
    Compilation made = saves(HostileScript.source(file));
    if (made instanceof Compilation.Compiled saved) {
      return saved.transform();
    }
    throw new AssertionError(file + " does not compile: " + ((Compilation.Refused) made).flaws());
  }

  static String told(Ending ending) {
    if (ending instanceof Ending.Broken broken) {
      return broken.reason().name();
    }
    Outcome outcome = ((Ending.Said) ending).finished().outcome();
    if (outcome instanceof Outcome.Returned returned) {
      return "returns " + text(returned.body()) + returned.headers().map(" "::concat).orElse("");
    }
    if (outcome instanceof Outcome.Answered response) {
      return "answers "
          + response.status()
          + " "
          + text(response.body())
          + " "
          + response.headers();
    }
    return outcome instanceof Outcome.Threw threw
        ? "throws " + threw.status() + " " + threw.errors()
        : ((Outcome.Failed) outcome).kind().name();
  }

  private static String text(byte[] body) {
    return new String(body, StandardCharsets.UTF_8);
  }
}
