package habemus.client;

import habemus.lockservice.ClientInfo;
import habemus.lockservice.Holder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What came of {@link Acquirable#tryAcquire}. */
public sealed interface AcquireResult {

    /**
     * It is ours.
     *
     * @param grant to be closed
     */
    record Granted(Grant grant) implements AcquireResult {}

    /**
     * Somebody else has it, or is before us.
     *
     * @param holders who is inside; nobody, if there is a line only
     */
    record Busy(List<Holder> holders) implements AcquireResult {

        /** {@return who is inside, the first of them} */
        public Optional<ClientInfo> holder() {
            return holders.stream().findFirst().map(Holder::client);
        }

        /** {@return since when, on the clock of a node of the service} */
        public Optional<Instant> since() {
            return holders.stream().findFirst().map(holder -> Instant.ofEpochMilli(holder.since()));
        }
    }

    /**
     * The service did not answer in time: no node can be reached, or none has a majority behind it. Nothing is held.
     *
     * @param reason what was tried
     */
    record NoQuorum(String reason) implements AcquireResult {}
}
