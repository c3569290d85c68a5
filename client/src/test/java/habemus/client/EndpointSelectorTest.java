package habemus.client;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.client.environment.Endpoint;
import habemus.lockservice.protocol.ClientFrame;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The order in which a client tries endpoints. */
class EndpointSelectorTest {

    private static final Endpoint A = Endpoint.of("a:1");
    private static final Endpoint B = Endpoint.of("b:1");
    private static final Endpoint C = Endpoint.of("c:1");

    private final EndpointSelector selector =
            new EndpointSelector(List.of("a:1", "b:1", "c:1"), new VirtualEnvironment(1).environment());

    private Endpoint next(Endpoint but) {
        return selector.next(Optional.of(but));
    }

    @Test
    void the_endpoint_with_the_oldest_failure_is_next() {
        selector.onFailure(A, false, "no answer in time");
        selector.onFailure(B, false, "no answer in time");
        assertThat(next(B)).isEqualTo(C);
        selector.onFailure(C, false, "no answer in time");
        assertThat(next(C)).isEqualTo(A);
    }

    @Test
    void a_silent_endpoint_comes_after_those_that_only_timed_out() {
        selector.onFailure(A, true, "no answer in time");
        selector.onFailure(B, false, "no answer in time");
        selector.onFailure(C, false, "no answer in time");
        assertThat(next(C)).isEqualTo(B);
        selector.onFailure(B, false, "no answer in time");
        assertThat(next(B)).isEqualTo(C);
        selector.onFailure(C, true, "Connection refused");
        assertThat(next(B)).as("all others have failed").isEqualTo(A);
    }

    @Test
    void the_leader_is_first_unless_it_failed() {
        selector.refreshEndpoints(
                new ClientFrame.Welcome(ClientFrame.VERSION, "c1", "n1", List.of("a:1", "c:1", "b:1"), true));
        assertThat(next(A)).isEqualTo(C);
        selector.onFailure(C, true, "no answer in time");
        assertThat(next(A)).isEqualTo(B);
        selector.onSuccess(C);
        assertThat(next(A)).isEqualTo(C);
    }
}
