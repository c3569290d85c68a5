package habemus.client;

import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceStatus;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reports the leader of an election. It reads the status again whenever it may have changed, one query at a time, so
 * several quick changes may be reported as one. Used by the driver only, except {@link #close}.
 */
final class CoalescingObserver implements PendingQueries.Watcher {

    private final SessionDriver driver;
    private final ResourceName election;
    private final Consumer<Optional<Leader>> listener;
    private final SerialExecutor executor;
    private Optional<Leader> last = Optional.empty();
    private boolean hasNotified;
    private boolean isReading;
    private boolean isStale;
    private volatile boolean isClosed;

    CoalescingObserver(SessionDriver driver, String election, Consumer<Optional<Leader>> listener) {
        this.driver = driver;
        this.election = ResourceName.election(election);
        this.listener = listener;
        executor = new SerialExecutor(driver.callbackExecutor());
    }

    void close() {
        isClosed = true;
        driver.unwatch(this);
    }

    @Override
    public void onChanged(ResourceName name) {
        if (name.equals(election)) {
            onChangesMissed();
        }
    }

    @Override
    public void onChangesMissed() {
        if (isReading) {
            isStale = true;
            return;
        }
        isReading = true;
        var unused = driver.describe(election).whenComplete(this::onStatus);
    }

    private void onStatus(@Nullable ResourceStatus status, @Nullable Throwable failure) {
        isReading = false;
        if (status != null) {
            publish(status.holders().stream()
                    .findFirst()
                    .map(holder -> new Leader(ClientIdentity.of(holder.client()), holder.fence())));
            if (isStale) {
                isStale = false;
                onChangesMissed();
            }
        }
    }

    private void publish(Optional<Leader> leader) {
        if (!hasNotified || !leader.equals(last)) {
            hasNotified = true;
            last = leader;
            executor.execute(() -> {
                if (!isClosed) {
                    listener.accept(leader);
                }
            });
        }
    }
}
