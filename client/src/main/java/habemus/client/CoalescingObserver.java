package habemus.client;

import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceStatus;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Looks again whenever something may have changed, once at a time. For the driver's thread alone. */
final class CoalescingObserver implements PendingQueries.Watcher {

    private final SessionDriver sessionDriver;
    private final ResourceName election;
    private final Consumer<Optional<Leader>> told;
    private final SerialExecutor serialExecutor;
    private Optional<Leader> last = Optional.empty();
    private boolean ever;
    private boolean looking;
    private boolean again;
    private volatile boolean over;

    CoalescingObserver(SessionDriver sessionDriver, String election, Consumer<Optional<Leader>> told) {
        this.sessionDriver = sessionDriver;
        this.election = ResourceName.election(election);
        this.told = told;
        serialExecutor = new SerialExecutor("habemus-observer-" + election);
    }

    void end() {
        over = true;
        sessionDriver.unwatch(this);
    }

    @Override
    public void onChanged(ResourceName resourceName) {
        if (resourceName.equals(election)) {
            onChangesMissed();
        }
    }

    @Override
    public void onChangesMissed() {
        if (looking) {
            again = true;
            return;
        }
        looking = true;
        var unused = sessionDriver.describe(election).whenComplete(this::seen);
    }

    private void seen(@Nullable ResourceStatus resourceStatus, @Nullable Throwable closed) {
        looking = false;
        if (resourceStatus != null) {
            tell(resourceStatus.holders().stream()
                    .findFirst()
                    .map(holder -> new Leader(holder.client(), holder.fence())));
            if (again) {
                again = false;
                onChangesMissed();
            }
        }
    }

    private void tell(Optional<Leader> now) {
        if (!ever || !now.equals(last)) {
            ever = true;
            last = now;
            serialExecutor.execute(() -> {
                if (!over) {
                    told.accept(now);
                }
            });
        }
    }
}
