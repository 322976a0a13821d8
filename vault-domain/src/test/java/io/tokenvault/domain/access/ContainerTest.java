package io.tokenvault.domain.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.failure.ValidationException;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContainerTest implements AccessArbitraries {

  @ParameterizedTest
  @ValueSource(strings = {"/", "/pci/", "/pci/high/", "/a_b-c/0/", "/-/", "/_/"})
  void pathOfSegmentsIsValid(String path) {
    assertThat(Container.isValid(path)).isTrue();
    assertThat(new Container(path)).hasToString(path);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "pci", "/pci", "pci/", "//", "/a//b/", "/ /", "/a b/",
        "/a.b/", "/../", "/\u00e9/", "/a/\n", "/a/ ", "/%61/", "\\a\\", "/\u212a/",
        "/marker!/"
      })
  void invalidPathIsRejectedAndNotRepeated(String path) {
    assertThat(Container.isValid(path)).isFalse();
    assertThatThrownBy(() -> new Container(path))
        .isInstanceOfSatisfying(
            ValidationException.class,
            e -> assertThat(e.errors()).isEqualTo(Map.of("container", List.of(Container.SHAPE))));
  }

  @Test
  void pathHasAtMostTwoHundredCharacters() {
    assertThat(Container.isValid("/" + "a".repeat(198) + "/")).isTrue();
    assertThat(Container.isValid("/" + "a".repeat(199) + "/")).isFalse();
    assertThat(Container.isValid("/" + "a/".repeat(99) + "/")).isFalse();
    assertThat(Container.isValid("/" + "a/".repeat(100))).isFalse();
  }

  @Test
  void pathIsCaseInsensitive() {
    assertThat(new Container("/PCI/High/")).isEqualTo(new Container("/pci/high/"));
    assertThat(new Container("/PCI/").path()).isEqualTo("/pci/");
  }

  @Property
  void containerCoversPathsThatStartWithItsSegments(
      @ForAll("containers") Container one, @ForAll("containers") Container other) {
    assertThat(one.covers(other)).isEqualTo(AccessModel.covers(one, other));
  }

  @Property
  void nestedContainerIsCovered(
      @ForAll("segments") List<String> above, @ForAll("segments") List<String> below) {
    Container outer = AccessArbitraries.container(above);
    Container inner = new Container(outer + AccessArbitraries.container(below).path().substring(1));

    assertThat(outer.covers(inner)).isTrue();
    assertThat(inner.covers(outer)).isEqualTo(below.isEmpty());
  }
}
