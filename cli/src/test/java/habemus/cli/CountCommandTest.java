package habemus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import habemus.catalogue.Recipe;
import habemus.world.Problem;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code habemus count}: real processes and a file. */
@Timeout(180)
class CountCommandTest {

    @Test
    void with_a_lock_nothing_is_lost() {
        var said = Cli.line("count --workers 4 --times 50 --algorithm central --json");
        assertThat(said.code()).as(said.out() + said.err()).isEqualTo(ExitCode.DONE);
        var count = count(said);
        assertThat(count.keySet())
                .containsExactly("lock", "asked", "incremented", "counted", "lost", "stuck", "seconds");
        assertThat(count.get("lock").getAsString()).isEqualTo("central");
        assertThat(count.get("counted").getAsLong()).isEqualTo(200);
        assertThat(count.get("stuck").getAsBoolean()).isFalse();
    }

    @Test
    void without_one_something_is_and_that_is_no_failure() {
        var said = Cli.line("count --workers 4 --times 200 --algorithm none --json");
        assertThat(said.code()).isEqualTo(ExitCode.DONE);
        assertThat(count(said).get("incremented").getAsLong()).isEqualTo(800);
        assertThat(count(said).get("lost").getAsLong()).isPositive();
    }

    private static JsonObject count(Cli.Said said) {
        return said.json().getAsJsonArray("counts").get(0).getAsJsonObject();
    }

    @Test
    void who_promises_to_go_on_must_not_be_stuck_and_nobody_may_lose_anything() {
        assertThat(result("central", 100, 100).isFine()).isTrue();
        assertThat(result("central", 60, 60).isFine()).isFalse();
        assertThat(result("maekawa", 60, 60).isFine()).as("it may deadlock").isTrue();
        assertThat(result("maekawa", 60, 59).isFine()).isFalse();
    }

    private static Counting.Result result(String algorithm, long incremented, long counted) {
        var recipe = Recipe.parse(algorithm, Problem.MUTEX);
        return new Counting.Result(Optional.of(recipe), 100, incremented, counted, 1);
    }
}
