package io.tokenvault.engine.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.mozilla.javascript.Context;

final class WorkerProgramTest {

  @Test
  void theProgramForTransformsIsTheEnginesOwnClassesAndTheInterpreterOnly() throws Exception {
    assertThat(WorkerProgram.forTransforms().classPath())
        .containsExactly(
            WorkerProgram.sourceOf(WorkerPool.class).toRealPath(),
            WorkerProgram.sourceOf(Context.class).toRealPath());
  }

  @Test
  void theProgramForCompilingHasTheCompilersJarToo() throws Exception {
    WorkerProgram program = WorkerProgram.forCompiling("org/slf4j/Logger.class");

    assertThat(program.classPath())
        .hasSize(3)
        .contains(WorkerProgram.sourceOf(org.slf4j.Logger.class).toRealPath());
    assertThat(Files.isExecutable(program.java())).isTrue();
  }

  @Test
  void aCompilerThatIsNotThereIsNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WorkerProgram.forCompiling("no/such/compiler.js"))
        .withMessageContaining("no/such/compiler.js");
  }
}
