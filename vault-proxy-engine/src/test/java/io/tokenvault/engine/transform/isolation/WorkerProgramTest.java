package io.tokenvault.engine.transform.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.engine.transform.pool.WorkerPool;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mozilla.javascript.Context;

final class WorkerProgramTest {

  @Test
  void transformProgramHasOnlyEngineClassesAndInterpreter() throws Exception {
    WorkerProgram program = WorkerProgram.forTransforms(new ExtractedJars());

    assertThat(program.classPath())
        .containsExactly(
            WorkerProgram.sourceOf(WorkerPool.class).toRealPath(),
            WorkerProgram.sourceOf(Context.class).toRealPath());
    assertThat(Files.isExecutable(program.java())).isTrue();
  }

  @Test
  void classPathMayHaveCharactersBeyondAscii(@TempDir Path folder) throws Exception {
    Path own = Path.of(IsolationCheck.class.getName().replace('.', '/')).getParent();
    Path classes = folder.resolve("Übung");
    Files.createDirectories(classes.resolve(own));
    for (File file :
        WorkerProgram.sourceOf(IsolationCheck.class).resolve(own).toFile().listFiles()) {
      Files.copy(file.toPath(), classes.resolve(own).resolve(file.getName()));
    }
    WorkerProgram program = WorkerProgram.onThisJava(List.of(classes), "unused");

    assertThat(WorkerIsolation.at(IsolationLevel.NONE, program)).isPresent();
  }
}
