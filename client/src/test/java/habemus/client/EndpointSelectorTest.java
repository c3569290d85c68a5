package habemus.client;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.lockservice.protocol.ClientFrame;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which node a client tries next. */
class EndpointSelectorTest {

    private static final Endpoint A = Endpoint.of("a:1");
    private static final Endpoint B = Endpoint.of("b:1");
    private static final Endpoint C = Endpoint.of("c:1");

    private final EndpointSelector endpointSelector = new EndpointSelector(List.of("a:1", "b:1", "c:1"));

    private Endpoint next(Endpoint but) {
        return endpointSelector.next(Optional.of(but));
    }

    @Test
    void whose_trouble_is_the_oldest_is_next() {
        endpointSelector.onFailure(A, false, "no answer in time");
        endpointSelector.onFailure(B, false, "no answer in time");
        assertThat(next(B)).isEqualTo(C);
        endpointSelector.onFailure(C, false, "no answer in time");
        assertThat(next(C)).isEqualTo(A);
    }

    @Test
    void one_that_was_mute_comes_after_those_that_only_had_no_answer() {
        endpointSelector.onFailure(A, true, "no answer in time");
        endpointSelector.onFailure(B, false, "no answer in time");
        endpointSelector.onFailure(C, false, "no answer in time");
        assertThat(next(C)).isEqualTo(B);
        endpointSelector.onFailure(B, false, "no answer in time");
        assertThat(next(B)).isEqualTo(C);
        endpointSelector.onFailure(C, true, "Connection refused");
        assertThat(next(B)).as("nobody else is left").isEqualTo(A);
    }

    @Test
    void the_leader_is_first_unless_it_had_trouble() {
        endpointSelector.refreshEndpoints(
                new ClientFrame.Welcome(ClientFrame.VERSION, "n1", List.of("a:1", "c:1", "b:1"), true));
        assertThat(next(A)).isEqualTo(C);
        endpointSelector.onFailure(C, true, "no answer in time");
        assertThat(next(A)).isEqualTo(B);
        endpointSelector.onSuccess(C);
        assertThat(next(A)).isEqualTo(C);
    }
}
