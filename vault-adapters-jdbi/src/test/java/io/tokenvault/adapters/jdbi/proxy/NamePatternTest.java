package io.tokenvault.adapters.jdbi.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.adapters.jdbi.proxy.JdbiProxies.NamePattern;
import org.junit.jupiter.api.Test;

final class NamePatternTest {

  @Test
  void textWithoutStarMatchesAnywhere() {
    assertThat(NamePattern.toLike("Ab")).isEqualTo("%ab%");
  }

  @Test
  void starMatchesAnyRunOfCharacters() {
    assertThat(NamePattern.toLike("A*b*")).isEqualTo("a%b%");
  }

  @Test
  void likeWildcardsAreLiteral() {
    assertThat(NamePattern.toLike("*100%_\\")).isEqualTo("%100\\%\\_\\\\");
  }

  @Test
  void foldingIsPerCharacterRegardlessOfPosition() {
    assertThat(NamePattern.fold("ΣΑΣ")).isEqualTo(NamePattern.fold("σας")).isEqualTo("σασ");
  }
}
