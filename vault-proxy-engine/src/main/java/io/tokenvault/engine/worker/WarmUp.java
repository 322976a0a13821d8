package io.tokenvault.engine.worker;

import io.tokenvault.engine.wire.BodyKind;
import io.tokenvault.engine.wire.ToWorker.Bundle;
import io.tokenvault.engine.wire.ToWorker.Invoke;
import io.tokenvault.engine.wire.ToWorker.Limits;
import io.tokenvault.engine.wire.ToWorker.Program;
import io.tokenvault.engine.wire.ToWorker.Reply;
import io.tokenvault.engine.worker.LoadedBundle.Unparsable;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Supplier;

/** Runs a script as transforms are written until the JVM has compiled what they need. */
final class WarmUp {

  private static final int RUNS = 300;
  private static final Limits LIMITS =
      new Limits(60_000, 60_000, Long.MAX_VALUE, Long.MAX_VALUE, 1 << 20, 1);

  private static final String SCRIPT =
      """
      module.exports = function (req) {
        var body = req.args.body;
        var out = { id: body.id, total: 0, lines: [] };
        body.items.forEach(function (item, i) {
          out.total += item.price * item.count;
          out.lines.push({ n: i, name: item.name.toUpperCase(), at: new Date(0).toISOString() });
        });
        try { undefined.field } catch (e) { out.caught = e instanceof TypeError && !!e.stack; }
        var text = JSON.stringify(out).replace(/[A-Z]+/g, function (s) { return s.length; });
        var headers = { 'content-type': 'application/json', 'x-length': String(text.length) };
        if (crypto) {
          headers['x-signature'] = crypto.createHmac('sha256', 'key').update(text).digest('hex');
        }
        return new Promise(function (resolve) { resolve(out); }).then(function (value) {
          return { body: value, headers: headers };
        });
      };
      var crypto; try { crypto = require('crypto'); } catch (e) { crypto = null; }
      """;

  private static final String BODY =
      """
      {"id": "a", "items": [{"name": "one", "price": 1.5, "count": 2},
      {"name": "two", "price": 2.5, "count": 3}, {"name": "three", "price": 3, "count": 1}]}
      """;

  private static final String CONTEXT =
      "{\"headers\":{\"a\":\"b\"},\"method\":\"POST\",\"path\":\"/\",\"query\":\"\",\"configuration\":{}}";

  private WarmUp() {}

  static void run(ScriptContexts contexts, Supplier<Realm> realms) {
    LoadedBundle bundle =
        contexts.unmetered(
            cx -> {
              try {
                return LoadedBundle.parse(cx, new Bundle(new Program(SCRIPT, Map.of()), Map.of()));
              } catch (Unparsable e) {
                throw new IllegalStateException(e);
              }
            });
    Invoke invoke =
        new Invoke("", LIMITS, BodyKind.JSON, BODY.getBytes(StandardCharsets.UTF_8), CONTEXT);
    for (int i = 0; i < RUNS; i++) {
      Meter meter = new Meter(LIMITS);
      new Invocation(realms.get(), bundle, meter, new Unconnected()).invoke(contexts, invoke);
    }
  }

  private static final class Unconnected implements Calls {
    @Override
    public int send(String operation, String json) {
      throw new IllegalStateException("nothing is connected");
    }

    @Override
    public Reply awaitReply(long nanos) {
      return null;
    }
  }
}
