package io.tokenvault.engine.transform;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.engine.wire.BodyKind;
import io.tokenvault.engine.wire.FromWorker;
import io.tokenvault.ports.runtime.CompiledTransform;
import java.util.Objects;
import java.util.function.Supplier;

/** Runs compiled transforms where they can do no harm. All threads may share one instance. */
public interface TransformRunner {

  /**
   * Runs a transform once. Returns within the limit of time, whatever the script does.
   *
   * @param host does what the script asks for; called on other threads, several at once, and not
   *     after this has returned
   */
  Ending run(Run run, Host host);

  /**
   * What to run.
   *
   * @param key names the program: the same key, the same program
   * @param compiled asked only if no worker of the tenant has the program
   * @param body in the encoding of its kind
   * @param context see {@code ToWorker.Invoke}
   */
  record Run(
      TenantId tenantId,
      String key,
      Supplier<CompiledTransform> compiled,
      BodyKind kind,
      byte[] body,
      String context) {
    public Run {
      Objects.requireNonNull(tenantId, "tenantId");
      Objects.requireNonNull(key, "key");
      Objects.requireNonNull(compiled, "compiled");
      Objects.requireNonNull(kind, "kind");
      Objects.requireNonNull(body, "body");
      Objects.requireNonNull(context, "context");
    }

    /** The key only: everything else can be secret. */
    @Override
    public String toString() {
      return "Run[" + key + "]";
    }
  }

  /** What a script can ask of the server. */
  interface Host {

    /**
     * @param operation see {@code FromWorker.Call}
     * @param json see {@code FromWorker.Call}
     */
    Reply call(String operation, String json);

    /**
     * @param json see {@code ToWorker.Reply}
     */
    record Reply(boolean ok, String json) {

      /** Nothing: it can be secret. */
      @Override
      public String toString() {
        return "Reply[ok=" + ok + "]";
      }
    }
  }

  /** How a run ended. */
  sealed interface Ending {

    /** The worker said so. */
    record Said(FromWorker.Finished finished) implements Ending {}

    /** The server had to say so. */
    record Broken(Reason reason) implements Ending {}

    /** Why there is no word of a worker. */
    enum Reason {
      /** Its time was over, and it was killed. */
      TIME,
      /** It needed more memory than it may have. */
      MEMORY,
      /** It ended by itself, or what it said made no sense. */
      DIED,
      /** All workers are busy, and enough others wait already. */
      BUSY,
      /** A module that the program requires is no longer there. */
      MODULE_GONE
    }
  }
}
