package io.tokenvault.server.cli;

import io.tokenvault.server.config.OperatorException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Writes a folder to start from: a transform, its test, and the types of the runtime. */
@Command(
    name = "init",
    description = {
      "Write a folder to start from: a transform with a sample request and the expected result,",
      "types for editors, and a README. Overwrites no file."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:success",
      "1:the folder cannot be written",
      "2:invalid command line, or a file exists already"
    })
final class TransformInit extends VaultCommand {

  private static final List<String> FILES =
      List.of(
          "charge.js",
          "sample.json",
          "expected.json",
          "transform.d.ts",
          "jsconfig.json",
          "README.md");

  @Parameters(index = "0", paramLabel = "DIR", description = "Folder, created if necessary.")
  private Path folder;

  @Override
  public Integer call() {
    for (String name : FILES) {
      if (Files.exists(folder.resolve(name))) {
        throw wrongCommandLine(folder.resolve(name) + " exists already");
      }
    }
    try {
      Files.createDirectories(folder);
      for (String name : FILES) {
        write(name);
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

  private void write(String name) throws IOException {
    try (InputStream content = TransformInit.class.getResourceAsStream("/transform/" + name)) {
      Files.copy(content, folder.resolve(name));
    }
  }
}
