package io.tokenvault.server.cli;

import io.tokenvault.domain.failure.FailureCode;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonNumber;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import io.tokenvault.domain.proxy.TransformCode;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.engine.dryrun.FileDryRun;
import io.tokenvault.engine.transform.WorkerTransforms;
import io.tokenvault.engine.transform.module.OperatorModules.ModuleReport;
import io.tokenvault.ports.runtime.JsonCodec;
import io.tokenvault.server.assembly.TransformWorkers;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.config.OperatorException;
import io.tokenvault.server.json.JacksonJson;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** The commands that start, test and check the code of operators: transforms and their modules. */
@Command(
    name = "transform",
    description = "Write and test transforms.",
    addMethodSubcommands = false)
final class TransformCommands extends VaultCommand {

  private static final List<String> FILES =
      List.of(
          "charge.js",
          "sample.json",
          "expected.json",
          "transform.d.ts",
          "jsconfig.json",
          "README.md");

  @Command(
      name = "init",
      mixinStandardHelpOptions = true,
      description = {
        "Write a folder to start from: a transform with a sample request and the expected result,",
        "types for editors, and a README. Overwrites no file."
      },
      exitCodeListHeading = "%nExit codes:%n",
      exitCodeList = {
        "0:success",
        "1:the folder cannot be written",
        "2:invalid command line, or a file exists already"
      })
  int init(
      @Parameters(index = "0", paramLabel = "DIR", description = "Folder, created if necessary.")
          Path folder) {
    for (String name : FILES) {
      if (Files.exists(folder.resolve(name))) {
        throw wrongCommandLine(folder.resolve(name) + " exists already");
      }
    }
    try {
      Files.createDirectories(folder);
      for (String name : FILES) {
        write(name, folder);
      }
    } catch (FileAlreadyExistsException exists) {
      throw wrongCommandLine(exists.getFile() + " exists already");
    } catch (IOException unwritable) {
      throw new OperatorException(folder + " cannot be written");
    }
    Path test = folder.resolve("charge.js");
    out().println("Created " + folder + ". Test it:");
    out()
        .println(
            "vault-server transform test %s --request %s --expect %s"
                .formatted(test, folder.resolve("sample.json"), folder.resolve("expected.json")));
    return 0;
  }

  private static void write(String name, Path folder) throws IOException {
    try (InputStream content = TransformCommands.class.getResourceAsStream("/transform/" + name)) {
      Files.copy(content, folder.resolve(name));
    }
  }

  /**
   * Runs a transform on a sample, without a server, a database or a network. Waits for a worker as
   * long as it takes.
   */
  @Command(
      name = "test",
      description = {
        "Run a transform on a sample, as the server would, and print the result as one JSON",
        "object. Needs no database and sends nothing: bt and fetch return the mocks of the",
        "sample. Modules and limits are those of VAULT_TRANSFORM_*. Standard error shows an error",
        "of the code in full, with its place."
      },
      exitCodeListHeading = "%nExit codes:%n",
      exitCodeList = {
        "0:passed",
        "1:the code was rejected or failed, or the result is not the expected one",
        "2:invalid command line or files",
        "3:invalid setting, or no worker can start; see standard error"
      })
  static final class TransformTest extends VaultCommand implements Callable<Integer> {

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

    @Option(
        names = "--expect",
        paramLabel = "EXPECTED",
        description =
            "Part of the result that is required, a JSON file. Properties that it omits are not"
                + " compared, except in bodies. An expected error passes.")
    private Path expected;

    @Override
    public Integer call() {
      JsonCodec json = new JacksonJson();
      TransformKind kind = response ? TransformKind.RESPONSE : TransformKind.REQUEST;
      Optional<JsonValue> wanted = Optional.ofNullable(expected).map(path -> json(json, path));
      JsonObject result;
      try {
        result = result(context().configuration(), json, kind);
      } catch (RefusedException noWorker) {
        err().println(noWorker.getMessage());
        return CommandFailures.MISCONFIGURED;
      }
      out().println(text(json, result));
      Optional<JsonObject> error = error(result, kind);
      error.ifPresent(this::explain);
      if (wanted.isEmpty()) {
        return error.isPresent() ? CommandFailures.FAILED : 0;
      }
      Optional<String> difference = difference("", wanted.get(), result, json);
      difference.ifPresent(err()::println);
      return difference.isPresent() ? CommandFailures.FAILED : 0;
    }

    private static Optional<JsonObject> error(JsonObject result, TransformKind kind) {
      return property(result, kind.property()).flatMap(run -> property(run, "error"));
    }

    private static Optional<JsonObject> property(JsonObject object, String name) {
      return object.properties().get(name) instanceof JsonObject property
          ? Optional.of(property)
          : Optional.empty();
    }

    /**
     * Prints an error of the code, or all flaws for which the code is rejected, with their places.
     */
    private void explain(JsonObject error) {
      if (error.properties().get("flaws") instanceof JsonArray flaws) {
        flaws.items().forEach(flaw -> explain((JsonObject) flaw));
        return;
      }
      String place =
          Stream.of("line", "column")
              .map(error.properties()::get)
              .filter(JsonNumber.class::isInstance)
              .map(number -> ":" + ((JsonNumber) number).literal())
              .collect(Collectors.joining());
      String what =
          Stream.of("name", "message")
              .map(error.properties()::get)
              .filter(JsonString.class::isInstance)
              .map(text -> ((JsonString) text).value())
              .filter(text -> !text.isEmpty())
              .collect(Collectors.joining(": "));
      String detail =
          error.properties().get("detail") instanceof JsonString text ? text.value() : "";
      err().println(file + place + ": " + (what.isEmpty() ? detail : what));
      if (error.properties().get("frame") instanceof JsonString frame) {
        err().println(frame.value());
      }
    }

    /**
     * Returns the first difference between the expected and the actual result; empty if there is
     * none. Objects other than bodies may have more properties than expected.
     */
    private static Optional<String> difference(
        String path, JsonValue wanted, JsonValue actual, JsonCodec json) {
      if (!path.endsWith("body")
          && wanted instanceof JsonObject object
          && actual instanceof JsonObject found) {
        return object.properties().entrySet().stream()
            .map(
                entry ->
                    difference(
                        (path.isEmpty() ? "" : path + ".") + entry.getKey(),
                        entry.getValue(),
                        found.properties().get(entry.getKey()),
                        json))
            .flatMap(Optional::stream)
            .findFirst();
      }
      if (wanted.equals(actual)) {
        return Optional.empty();
      }
      String shown = actual == null ? "nothing" : text(json, actual);
      return Optional.of(
          "%s: expected %s, but found %s".formatted(path, text(json, wanted), shown));
    }

    private static String text(JsonCodec json, JsonValue value) {
      return new String(json.write(value), StandardCharsets.UTF_8);
    }

    /**
     * Runs the transform in a separate worker process.
     *
     * @return the result of the dry run, with an {@code error} if the transform failed
     * @throws RefusedException if no worker can be started
     */
    private JsonObject result(Configuration configuration, JsonCodec json, TransformKind kind) {
      TransformCode code = code();
      JsonValue given = json(json, sample);
      WorkerTransforms.Settings settings = configuration.transforms();
      try (WorkerTransforms workers =
          TransformWorkers.startForOne(configuration, settings.modules())) {
        int maxBody = settings.limits().maxOutput();
        return new FileDryRun(workers, workers, json, maxBody).run(kind, code, given);
      } catch (ValidationException invalid) {
        throw unusable(sample, invalid);
      } catch (VaultException refused) {
        if (refused instanceof RefusedException unavailable
            && unavailable.failure().code() == FailureCode.UNAVAILABLE) {
          throw unavailable;
        }
        throw unusable(sample, "cannot be used: " + refused.getMessage());
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

    private JsonValue json(JsonCodec json, Path path) {
      try {
        return json.read(read(path));
      } catch (ValidationException malformed) {
        throw unusable(path, malformed);
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

  /** The command that compiles and loads the operator's modules as a server does. */
  @Command(
      name = "modules",
      description = "Check modules for transforms.",
      addMethodSubcommands = false)
  static final class Modules extends VaultCommand {

    private static final double NANOS_PER_SECOND = 1e9;

    private long since;

    @Command(
        name = "check",
        mixinStandardHelpOptions = true,
        description = {
          "Compile each module and package of a folder and load it once, as a server with this",
          "VAULT_TRANSFORM_MODULES_DIR does. Prints a line for each: its name, the number of files",
          "that it loads, and the time; or why it cannot be used."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
          "0:all can be used",
          "1:some cannot be used",
          "2:invalid command line, or the folder cannot be read",
          "3:invalid setting, or no worker can start; see standard error"
        })
    int check(
        @Parameters(index = "0", paramLabel = "DIR", description = "Folder of modules.")
            Path folder) {
      if (!Files.isReadable(folder) || !Files.isDirectory(folder)) {
        throw wrongCommandLine(folder + " is not a directory that can be read");
      }
      AtomicInteger failed = new AtomicInteger();
      try (WorkerTransforms workers =
          TransformWorkers.startForOne(context().configuration(), Optional.of(folder))) {
        since = System.nanoTime();
        workers.checkModules(
            report -> {
              print(report);
              report.problem().ifPresent(problem -> failed.incrementAndGet());
            });
      } catch (RefusedException noWorker) {
        err().println(noWorker.getMessage());
        return CommandFailures.MISCONFIGURED;
      }
      return failed.get() > 0 ? CommandFailures.FAILED : 0;
    }

    private void print(ModuleReport report) {
      double seconds = (System.nanoTime() - since) / NANOS_PER_SECOND;
      String success =
          report.files() == 0
              ? "no main module"
              : "ok, %s files, %.1f s".formatted(report.files(), seconds);
      String result = report.problem().map(problem -> "failed: " + problem).orElse(success);
      out().println(report.name() + ": " + result);
      out().flush();
      since = System.nanoTime();
    }
  }
}
