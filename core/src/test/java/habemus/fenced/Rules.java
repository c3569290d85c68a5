package habemus.fenced;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;

/** What is true of every table, and of every way from one to the next. */
final class Rules {

    private Rules() {}

    static void check(Table before, Command command, Table after) {
        everythingFollowsFromTheClaims(after);
        after.locks().forEach((name, lock) -> {
            thereIsRoomForWhoIsInside(lock);
            assertThat(lock.isUnused()).as("%s is unused and yet there", name).isFalse();
        });
        after.sessions().forEach((session, guest) -> {
            assertThat(guest.answers().keys()).allMatch(number -> number > guest.settled());
            guest.bids().forEach((number, bid) -> {
                var claim = new Claim(session, number);
                switch (bid) {
                    case Bid.Waiting waiting -> nobodyWaitsWhoCouldBeLetIn(after, claim, waiting);
                    case Bid.Holding holding -> {
                        if (!before.bid(claim).equals(Optional.of(bid))) {
                            whoIsLetInHasALargerFence(before, after, holding);
                            nobodyIsOvertaken(before, command, after, claim, holding);
                        }
                    }
                }
            });
        });
    }

    /** Holders and lines are those of the claims; so of sessions that are gone there is nothing anywhere. */
    private static void everythingFollowsFromTheClaims(Table table) {
        assertThat(table.snapshot().table()).isEqualTo(table);
    }

    private static void thereIsRoomForWhoIsInside(Lock lock) {
        long taken = lock.holders().values().stream().mapToLong(units -> units).sum();
        assertThat(taken).isEqualTo(lock.taken()).isLessThanOrEqualTo(lock.size());
    }

    private static void nobodyWaitsWhoCouldBeLetIn(Table table, Claim claim, Bid.Waiting waiting) {
        assertThat(waiting.wants()).as("%s waits and could be let in", claim).anyMatch(want -> {
            var lock = table.locks().get(want.name()).orElseThrow();
            return !lock.line().first().equals(Optional.of(claim)) || !lock.hasRoomFor(want);
        });
    }

    private static void whoIsLetInHasALargerFence(Table before, Table after, Bid.Holding holding) {
        assertThat(holding.fence()).isEqualTo(after.index()).isGreaterThan(before.index());
    }

    private static void nobodyIsOvertaken(
            Table before, Command command, Table after, Claim claim, Bid.Holding holding) {
        boolean chosen = command instanceof Command.Force(Command.Order.Transfer order, var operator, var reason)
                || command instanceof Command.Ask(var session, var number, var settled, Wish.Transfer wish);
        var turn = before.bid(claim).map(bid -> ((Bid.Waiting) bid).turn());
        for (var want : holding.wants()) {
            for (var other : after.waiters(want.name())) {
                var earlier = before.bid(other.claim()).map(bid -> ((Bid.Waiting) bid).turn());
                assertThat(chosen
                                || earlier.isEmpty()
                                || turn.isPresent() && turn.get().compareTo(earlier.get()) < 0)
                        .as("%s overtook %s", claim, other.claim())
                        .isTrue();
            }
        }
    }
}
