package habemus.service.server;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult.RejectionReason;
import habemus.lockservice.ResourceShare;
import habemus.lockservice.protocol.Message;
import habemus.lockservice.table.LockTable;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is refused before anybody is bothered with it, and what never is. */
class AdmissionControlTest {

    private static final ServerLimits LIMITS =
            ServerLimits.DEFAULT.withAcquiresPerSession(100).withWaitersPerResource(0);
    private static final Operation ACQUIRE = Operation.Acquire.of(ResourceShare.exclusive("orders"));

    private final AdmissionControl admissionControl = new AdmissionControl(LIMITS);

    private Optional<RejectionReason> asking(long number, Operation operation) {
        return admissionControl.checkSubmit(new Message.Submit(1, number, 0, operation), Principal.ANONYMOUS);
    }

    @Test
    void who_takes_no_answers_gets_no_more() {
        assertThat(asking(LIMITS.requestWindow(), ACQUIRE)).isEmpty();
        assertThat(asking(LIMITS.requestWindow() + 1, ACQUIRE)).contains(RejectionReason.LIMIT_EXCEEDED);
        assertThat(asking(LIMITS.requestWindow() + 1, new Operation.Transfer(1, "other")))
                .contains(RejectionReason.LIMIT_EXCEEDED);
    }

    /** After the last request that is served, all that it can have is given back, and then the session. */
    @ParameterizedTest
    @ValueSource(ints = {1, 50, 100})
    void whatever_somebody_has_can_be_given_back(int released) {
        assertThat(asking(LIMITS.requestWindow() + released, new Operation.Release(released)))
                .isEmpty();
        assertThat(asking(LIMITS.requestWindow() + released + 1, new Operation.Close()))
                .isEmpty();
        assertThat(asking(Long.MAX_VALUE, new Operation.Close())).isEmpty();
    }

    @Test
    void nothing_is_kept_for_who_only_gives_back_what_he_never_had() {
        assertThat(asking(LIMITS.requestWindow() + 101, new Operation.Release(1)))
                .contains(RejectionReason.LIMIT_EXCEEDED);
    }

    @Test
    void a_full_line_is_none_for_who_gives_back() {
        for (Operation operation :
                new Operation[] {new Operation.Release(1), new Operation.Close(), new Operation.Transfer(1, "other")}) {
            assertThat(admissionControl.exceedsLimits(new Message.Submit(1, 2, 0, operation), LockTable.EMPTY))
                    .isFalse();
        }
    }
}
