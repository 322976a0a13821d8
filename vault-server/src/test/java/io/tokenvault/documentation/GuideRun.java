package io.tokenvault.documentation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tokenvault.server.environment.ProgramRun;
import io.tokenvault.server.process.fixture.VaultProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Runs a guide as a reader would: all its {@code sh} blocks in one bash session, in page order. The
 * {@code text} or {@code json} block after such a block shows what it prints to standard output; a
 * block without one prints nothing.
 *
 * <p>The session stops at the first failing command. It starts in an empty directory, and its end
 * stops the processes that it has started. {@code java -jar} runs the classes of this JVM.
 */
public final class GuideRun {

  public static final Path GUIDES = Path.of("..", "docs", "guides");

  private static final Pattern BLOCK = Pattern.compile("(?m)^```(\\w+)\n((?s:.*?))^```$");
  private static final String PROGRAM = "java -jar vault-server/target/vault-server.jar";

  /** Packages whose name differs from that of their program. */
  private static final Map<String, String> PACKAGES =
      Map.of("psql", "postgresql-client", "shred", "coreutils");

  /** Printed after each block. */
  private static final String END_OF_BLOCK = "\u001e";

  private final String page;
  private final Path directory;
  private final Map<String, String> replacements = new LinkedHashMap<>();
  private final Map<String, String> environment = new LinkedHashMap<>();

  private GuideRun(String page, Path directory) {
    this.page = page;
    this.directory = directory;
  }

  /**
   * Prepares a run.
   *
   * @param guide file name in {@link #GUIDES}
   * @param directory working directory of the session
   */
  public static GuideRun of(String guide, Path directory) throws IOException {
    return new GuideRun(Files.readString(GUIDES.resolve(guide)), directory);
  }

  /** Skips the test if one of these programs is missing. */
  public GuideRun needs(String... programs) {
    for (String program : programs) {
      assumeTrue(
          ProgramRun.find(program).isPresent(),
          "%s is missing: apt-get install %s"
              .formatted(program, PACKAGES.getOrDefault(program, program)));
    }
    return this;
  }

  /** Replaces a sample value, in commands and in output. It must be on the page. */
  public GuideRun replace(String sample, String actual) {
    assertThat(page).as("sample value").contains(sample);
    replacements.put(sample, actual);
    return this;
  }

  /** Sets a variable that the page asks the reader to set. */
  public GuideRun set(String variable, String value) {
    environment.put(variable, value);
    return this;
  }

  /** Runs all blocks, and compares their output. */
  public void run() {
    List<Step> steps = steps();
    SampleMatcher samples = SampleMatcher.ofSampleValues();
    steps.forEach(step -> samples.bindIdsOf(step.commands()));
    VaultProcess session = VaultProcess.run(List.of("bash", "-c", script(steps)), environment);
    String[] printed = session.out().split(END_OF_BLOCK, -1);
    for (int i = 0; i < Math.min(steps.size(), printed.length - 1); i++) {
      Step step = steps.get(i);
      samples.expect("output of\n" + step.commands(), step.output().strip(), printed[i].strip());
    }
    session.expectExit(0);
    assertThat(printed).as("finished blocks").hasSize(steps.size() + 1);
  }

  private List<Step> steps() {
    List<Step> steps = new ArrayList<>();
    boolean mayShowOutput = false;
    for (MatchResult block : BLOCK.matcher(page).results().toList()) {
      String text = block.group(2);
      boolean isCommands = block.group(1).equals("sh");
      if (isCommands) {
        steps.add(new Step(replaced(text), ""));
      } else if (mayShowOutput && List.of("text", "json").contains(block.group(1))) {
        Step last = steps.remove(steps.size() - 1);
        steps.add(new Step(last.commands(), replaced(text)));
      }
      mayShowOutput = isCommands;
    }
    assertThat(steps).as("sh blocks").isNotEmpty();
    return steps;
  }

  private String replaced(String text) {
    String result = text.replace(PROGRAM, program());
    for (Map.Entry<String, String> each : replacements.entrySet()) {
      result = result.replace(each.getKey(), each.getValue());
    }
    return result;
  }

  private static String program() {
    List<String> command = VaultProcess.command(List.of(), "256m");
    return command.stream().map("'%s'"::formatted).collect(Collectors.joining(" "));
  }

  private String script(List<Step> steps) {
    StringBuilder script = new StringBuilder("set -euo pipefail\n");
    script.append("cd '").append(directory).append("'\nexec < /dev/null\n");
    script.append("trap 'kill $(jobs -p) 2> /dev/null || :; wait' EXIT\n");
    for (Step step : steps) {
      script.append(step.commands()).append("printf '\\036'\n");
    }
    return script.toString();
  }

  /**
   * A block of commands.
   *
   * @param output output on the page; empty if there is none
   */
  private record Step(String commands, String output) {}
}
