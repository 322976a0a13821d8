package io.tokenvault.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.engine.transform.Programs.OwnPrograms;
import io.tokenvault.ports.runtime.CompiledTransform;
import io.tokenvault.ports.runtime.TransformRuntime.Compilation;
import java.util.List;
import org.junit.jupiter.api.Test;

class OwnProgramsTest {

  private static final int MAX_PROGRAMS = 64;

  private final OwnPrograms programs = new OwnPrograms();

  private static Compilation.Compiled program(int length) {
    return new Compilation.Compiled(new CompiledTransform("c/1", "x".repeat(length), List.of()));
  }

  @Test
  void leastRecentlyUsedProgramIsEvicted() {
    for (int i = 0; i < MAX_PROGRAMS; i++) {
      programs.keep("program " + i, program(1));
    }
    assertThat(programs.find("program 0")).isPresent();

    programs.keep("one more", program(1));

    assertThat(programs.find("program 0")).isPresent();
    assertThat(programs.find("program 1")).isEmpty();
    assertThat(programs.find("one more")).isPresent();
  }

  @Test
  void longProgramsEvictEachOther() {
    for (int i = 0; i < 5; i++) {
      programs.keep("program " + i, program(4 << 20));
    }

    assertThat(programs.find("program 0")).isEmpty();
    assertThat(programs.find("program 4")).isPresent();
  }

  @Test
  void programStoredRepeatedlyCountsOnce() {
    programs.keep("other", program(1));
    for (int i = 0; i < 9; i++) {
      programs.keep("same", program(4 << 20));
    }

    assertThat(programs.find("other")).isPresent();
  }
}
