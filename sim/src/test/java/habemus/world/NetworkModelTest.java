package habemus.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NetworkModelTest {

    @Test
    void the_name_is_that_of_the_weakest_guarantee() {
        assertThat(NetworkModel.FIFO).hasToString("fifo");
        assertThat(NetworkModel.BAG).hasToString("bag");
        assertThat(NetworkModel.DUPLICATING).hasToString("duplicating");
        assertThat(NetworkModel.LOSSY).hasToString("lossy");
        assertThat(NetworkModel.FIFO.withDuplication(0.1)).hasToString("duplicating");
        assertThat(NetworkModel.FIFO.withDuplication(0.1).withLoss(0.1)).hasToString("lossy");
    }

    @Test
    void a_copy_changes_one_value_only() {
        var networkModel = new NetworkModel(true, 0.1, 0.2);
        assertThat(networkModel.withLoss(0.5)).isEqualTo(new NetworkModel(true, 0.5, 0.2));
        assertThat(networkModel.withDuplication(0.5)).isEqualTo(new NetworkModel(true, 0.1, 0.5));
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.1, 1.1, Double.NaN, Double.POSITIVE_INFINITY})
    void values_that_are_not_probabilities_are_rejected(double wrong) {
        assertThatThrownBy(() -> NetworkModel.FIFO.withLoss(wrong)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> NetworkModel.FIFO.withDuplication(wrong)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void zero_and_one_are_probabilities() {
        assertThatCode(() -> NetworkModel.FIFO.withLoss(1).withDuplication(1).withLoss(0))
                .doesNotThrowAnyException();
    }
}
