package io.tokenvault.engine.transform;

import io.tokenvault.domain.proxy.TransformCode;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.engine.exchange.Program;
import io.tokenvault.engine.transform.TransformRunner.Ending;
import io.tokenvault.engine.transform.TransformRunner.Host;
import io.tokenvault.engine.transform.TransformRunner.Run;
import io.tokenvault.engine.transform.content.Content;
import io.tokenvault.engine.wire.BodyKind;
import io.tokenvault.engine.wire.FromWorker.Outcome;
import io.tokenvault.ports.runtime.CompiledTransform;
import io.tokenvault.ports.runtime.TransformRuntime.Compilation;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** A tenant that compiles and runs hostile scripts. */
final class ScriptTenant {

  private static final String CONTEXT =
      "{\"headers\":{\"authorization\":\"Bearer 4111\"},\"method\":\"POST\",\"path\":\"/\","
          + "\"query\":\"\",\"configuration\":{},\"bt\":true}";

  private final WorkerTransforms transforms;
  private final Map<String, CompiledTransform> compiled;
  private final TenantId tenant = new TenantId(UUID.randomUUID());

  ScriptTenant(WorkerTransforms transforms) {
    this(transforms, new HashMap<>());
  }

  private ScriptTenant(WorkerTransforms transforms, Map<String, CompiledTransform> compiled) {
    this.transforms = transforms;
    this.compiled = compiled;
  }

  /** Returns another tenant with the same transforms. */
  ScriptTenant neighbor() {
    return new ScriptTenant(transforms, compiled);
  }

  Compilation compile(String source) {
    return transforms.compile(tenant, new TransformCode(source));
  }

  /** Runs a function of a script and describes how it ended. */
  String outcome(String file, String body, Host host) {
    CompiledTransform code = compiled.computeIfAbsent(file, this::compileFile);
    byte[] json = ('"' + body + '"').getBytes(StandardCharsets.UTF_8);
    return describe(
        transforms.run(
            new Run(
                new Program(TransformKind.REQUEST, tenant, file, () -> code),
                new Content(BodyKind.JSON, json),
                CONTEXT),
            host));
  }

  private CompiledTransform compileFile(String file) {
    Compilation result = compile(HostileScript.source(file));
    if (result instanceof Compilation.Compiled success) {
      return success.transform();
    }
    throw new AssertionError(file + " does not compile: " + ((Compilation.Refused) result).flaws());
  }

  private static String describe(Ending ending) {
    if (ending instanceof Ending.Broken broken) {
      return broken.reason().name();
    }
    Outcome outcome = ((Ending.Reported) ending).finished().outcome();
    if (outcome instanceof Outcome.Returned returned) {
      return "returns " + text(returned.body()) + returned.headers().map(" "::concat).orElse("");
    }
    if (outcome instanceof Outcome.ResponseThrown response) {
      String body = text(response.body());
      return "answers " + response.status() + " " + body + " " + response.headers();
    }
    return outcome instanceof Outcome.ErrorThrown threw
        ? "throws " + threw.status() + " " + threw.errors()
        : ((Outcome.Failed) outcome).kind().name();
  }

  private static String text(byte[] body) {
    return new String(body, StandardCharsets.UTF_8);
  }
}
