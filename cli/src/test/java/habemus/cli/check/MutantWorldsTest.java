package habemus.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.lab.check.CheckCommandLine;
import habemus.lab.check.CheckPlan;
import habemus.lab.mutation.Mutant;
import habemus.smallscope.CommandLineScope;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The commands on the page of Raft's mutants check the worlds in which the mutants die. */
class MutantWorldsTest {

    static List<Mutant> mutants() {
        return Mutant.of("raft");
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void the_command_checks_the_world_of_the_mutant(Mutant mutant) {
        var plan = CheckPlan.of(CheckCommandLine.parse(mutant.world()));
        var experiment = plan.experiment();
        var command = plan.scope();
        var searched = CommandLineScope.parse(mutant.world());
        var scope = searched.scope();
        assertThat(experiment.algorithm().create(experiment.algorithmParameters()))
                .isEqualTo(searched.protocol());
        assertThat(command.topology().nodes()).isEqualTo(scope.topology().nodes());
        assertThat(command.inOrder()).isEqualTo(scope.inOrder());
        assertThat(command.timers()).isEqualTo(scope.timers());
        assertThat(command.faults()).isEqualTo(scope.faults());
        assertThat(command.requests().logCalls()).isEqualTo(scope.requests().logCalls());
        assertThat(command.options().reductions()).isEqualTo(scope.options().reductions());
        assertThat(command.options().hashCompaction()).isEqualTo(scope.options().hashCompaction());
        assertThat(command.options().limits().maxDepth())
                .isEqualTo(scope.options().limits().maxDepth());
    }
}
