package io.tokenvault.server.cli;

import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.proxy.TransformCode;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.engine.ProxyEngine;
import io.tokenvault.engine.ProxyEngine.Draft;
import io.tokenvault.engine.ProxyEngine.Workshop;
import io.tokenvault.engine.transform.WorkerTransforms;
import io.tokenvault.ports.runtime.JsonCodec;
import io.tokenvault.server.assembly.TransformWorkers;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.json.JacksonJson;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/**
 * Runs a transform on a sample, without a server, a database or a network.
 *
 * <p>Calls of {@code bt} and {@code fetch} are replaced by the mocks of the sample. Modules and
 * limits are those of the server, so that the result is the one that the server would have.
 *
 * <pre>{@code
 * vault-server transform test charge.js --request sample.json
 * }</pre>
 */
@Command(
    name = "test",
    description = {
      "Run a transform on a sample, as the server would, and print the result as one JSON",
      "object. Needs no database and sends nothing: bt and fetch return the mocks of the",
      "sample. Modules and limits are those of VAULT_TRANSFORM_*."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:success",
      "1:the transform was rejected or failed; the output shows where",
      "2:invalid command line or files",
      "3:invalid configuration; standard error lists every problem"
    })
final class TransformTest extends VaultCommand {

  private static final int FAILED = 1;

  @Parameters(index = "0", paramLabel = "FILE", description = "Code of the transform.")
  private Path file;

  @Option(
      names = "--request",
      required = true,
      paramLabel = "SAMPLE",
      description =
          "Sample, a JSON file: request, and optionally response, configuration and mocks.")
  private Path sample;

  @Option(
      names = "--response",
      description = "Run the code as a response transform, on the sample's response.")
  private boolean response;

  TransformTest(CommandContext context) {
    super(context);
  }

  @Override
  public Integer call() {
    JsonCodec json = new JacksonJson();
    TransformKind kind = response ? TransformKind.RESPONSE : TransformKind.REQUEST;
    Draft draft = new Draft(kind, code(), sample(json));
    JsonObject result = result(context().configuration().transforms(), json, draft);
    out().println(new String(json.write(result), StandardCharsets.UTF_8));
    boolean failed =
        result.members().get(kind.property()) instanceof JsonObject run
            && run.members().containsKey("error");
    return failed ? FAILED : 0;
  }

  /**
   * Runs the transform in a separate worker process.
   *
   * @return the result of the dry run, with an {@code error} if the transform failed
   */
  private JsonObject result(Configuration.Transforms configuration, JsonCodec json, Draft draft) {
    try (WorkerTransforms workers = TransformWorkers.startForOne(configuration)) {
      int maxBody = configuration.limits().bodyBytes();
      return ProxyEngine.tryOut(new Workshop(workers, workers, json, maxBody), draft);
    } catch (ValidationException invalid) {
      throw unusable(sample, invalid);
    }
  }

  /** Reads the code. Invalid UTF-8 is replaced rather than rejected. */
  private TransformCode code() {
    String source = StandardCharsets.UTF_8.decode(ByteBuffer.wrap(read(file))).toString();
    if (source.isBlank() || source.length() > TransformCode.MAX_LENGTH) {
      throw unusable(
          file, "must be JavaScript of 1 to " + TransformCode.MAX_LENGTH + " characters");
    }
    return new TransformCode(source);
  }

  private JsonValue sample(JsonCodec json) {
    try {
      return json.read(read(sample));
    } catch (ValidationException malformed) {
      throw unusable(sample, malformed);
    }
  }

  private byte[] read(Path path) {
    try {
      return Files.readAllBytes(path);
    } catch (IOException unreadable) {
      throw unusable(path, "cannot be read");
    }
  }

  /** Returns the failure for a file whose content is not valid, with a line for each error. */
  private ParameterException unusable(Path path, ValidationException invalid) {
    StringBuilder all = new StringBuilder("cannot be used:");
    invalid
        .errors()
        .forEach(
            (place, messages) ->
                all.append("%n  ".formatted())
                    .append(place)
                    .append(' ')
                    .append(String.join("; ", messages)));
    return unusable(path, all.toString());
  }

  private ParameterException unusable(Path path, String why) {
    return wrongCommandLine(path + " " + why);
  }
}
