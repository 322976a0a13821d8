package io.tokenvault.domain.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class ContainerPropertyTest {

  @Property
  void coveringIsToBeTheBeginningInSegments(
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

  @Provide
  Arbitrary<Container> containers() {
    return AccessArbitraries.containers();
  }

  @Provide
  Arbitrary<List<String>> segments() {
    return AccessArbitraries.segments();
  }
}
