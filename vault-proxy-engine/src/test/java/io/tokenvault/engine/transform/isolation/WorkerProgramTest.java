package io.tokenvault.engine.transform.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.engine.transform.pool.WorkerPool;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
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
}
