package habemus.client;

import habemus.fenced.Description;
import habemus.fenced.Name;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Looks again whenever something may have changed, once at a time. For the driver's thread alone. */
final class Observation implements Sights.Watcher {

    private final Driver driver;
    private final Name election;
    private final Consumer<Optional<Leader>> told;
    private final Serial serial;
    private Optional<Leader> last = Optional.empty();
    private boolean ever;
    private boolean looking;
    private boolean again;
    private volatile boolean over;

    Observation(Driver driver, String election, Consumer<Optional<Leader>> told) {
        this.driver = driver;
        this.election = Name.election(election);
        this.told = told;
        serial = new Serial("habemus-observer-" + election);
    }

    void end() {
        over = true;
        driver.unwatch(this);
    }

    @Override
    public void changed(Name name) {
        if (name.equals(election)) {
            missed();
        }
    }

    @Override
    public void missed() {
        if (looking) {
            again = true;
            return;
        }
        looking = true;
        var unused = driver.look(election).whenComplete(this::seen);
    }

    private void seen(@Nullable Description description, @Nullable Throwable closed) {
        looking = false;
        if (description != null) {
            tell(description.holders().stream().findFirst().map(holder -> new Leader(holder.person(), holder.fence())));
            if (again) {
                again = false;
                missed();
            }
        }
    }

    private void tell(Optional<Leader> now) {
        if (!ever || !now.equals(last)) {
            ever = true;
            last = now;
            serial.run(() -> {
                if (!over) {
                    told.accept(now);
                }
            });
        }
    }
}
