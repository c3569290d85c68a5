package habemus.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NetworkTest {

    @Test
    void is_named_by_the_worst_that_it_does() {
        assertThat(Network.FIFO).hasToString("fifo");
        assertThat(Network.BAG).hasToString("bag");
        assertThat(Network.DUPLICATING).hasToString("duplicating");
        assertThat(Network.LOSSY).hasToString("lossy");
        assertThat(Network.FIFO.duplicating(0.1)).hasToString("duplicating");
        assertThat(Network.FIFO.duplicating(0.1).losing(0.1)).hasToString("lossy");
    }

    @Test
    void what_is_changed_leaves_the_rest_as_it_was() {
        var network = new Network(true, 0.1, 0.2);
        assertThat(network.losing(0.5)).isEqualTo(new Network(true, 0.5, 0.2));
        assertThat(network.duplicating(0.5)).isEqualTo(new Network(true, 0.1, 0.5));
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.1, 1.1, Double.NaN, Double.POSITIVE_INFINITY})
    void refuses_what_is_no_probability(double wrong) {
        assertThatThrownBy(() -> Network.FIFO.losing(wrong)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Network.FIFO.duplicating(wrong)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void always_and_never_are_probabilities() {
        assertThatCode(() -> Network.FIFO.losing(1).duplicating(1).losing(0)).doesNotThrowAnyException();
    }
}
