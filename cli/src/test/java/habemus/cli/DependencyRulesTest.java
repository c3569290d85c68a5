package habemus.cli;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.Externalizable;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Dependencies between modules and packages point one way, and each library has one place. */
@AnalyzeClasses(packages = "habemus", importOptions = DoNotIncludeTests.class)
class DependencyRulesTest {

    /** Layers from the bottom up, one a line: a package, then the packages that it may depend on besides itself. */
    private static final Map<String, List<String>> LAYERS = layers("""
            protocol:
            concurrent:
            mutex: protocol
            election: protocol
            detector: protocol
            raft: protocol election
            threads: protocol
            codec: protocol
            lockservice: protocol
            lockservice.name:
            lockservice.table: protocol lockservice
            lockservice.protocol: protocol lockservice lockservice.table
            lockservice.storage: protocol codec lockservice lockservice.table
            world: protocol
            simulate: protocol world
            catalogue: protocol mutex election detector raft threads lockservice lockservice.protocol world
            check.model: protocol world simulate
            check.store: protocol world check.model
            check.reduction: protocol world check.model check.store
            check.search: protocol world check.model check.store check.reduction
            check.liveness: protocol world check.model check.store check.reduction check.search
            check.counterexample: protocol world simulate check.model check.store check.reduction check.search
            check: protocol world simulate check.*
            measure: protocol mutex election world simulate catalogue
            smallscope: protocol world catalogue check check.model
            client.environment: concurrent lockservice lockservice.protocol
            client: protocol codec concurrent lockservice lockservice.* client.environment
            lab.table:
            lab.language:
            lab.command:
            lab.trace: protocol raft world simulate
            lab.graph: protocol world
            lab.diagram.model: protocol world simulate lab.trace
            lab.diagram.svg: lab.graph lab.table protocol world simulate lab.trace lab.diagram.model
            lab.diagram.text: protocol world simulate lab.trace lab.diagram.model
            service.metrics:
            service.storage: protocol codec
            service.simulation: service.storage
            service.trace: protocol codec world simulate catalogue service.storage
            service.runtime: protocol codec concurrent service.storage service.trace
            service.transport: protocol codec concurrent service.storage service.runtime
            service.algorithm: protocol codec concurrent world catalogue service.storage service.transport\
                 service.trace service.runtime lockservice.name
            service.log: protocol concurrent service.transport
            log.postgresql: protocol concurrent service.log service.transport
            service.raft: protocol concurrent election raft codec service.log service.metrics service.storage\
                 service.runtime service.transport
            log.etcd: protocol concurrent service.log service.transport
            service.recording: protocol codec election raft lockservice lockservice.* world service.storage\
                 service.trace service.raft
            service.server: protocol codec concurrent lockservice lockservice.* service.metrics service.runtime\
                 service.log service.raft service.recording service.storage service.transport
            service.http: protocol lockservice lockservice.* world catalogue service.*
            lab.compare: protocol world simulate catalogue measure lab.table lab.command
            lab.quorum: protocol mutex world simulate lab.command
            lab.benchmark: protocol world simulate catalogue check check.model
            lab.source: protocol world catalogue
            lab.mutation: protocol world catalogue simulate check check.model smallscope lab.source lab.trace\
                 lab.diagram.*
            lab.matrix: protocol world catalogue check check.model smallscope lab.table lab.trace lab.diagram.*
            lab.experiment: protocol world simulate catalogue check check.model smallscope lab.command lab.graph\
                 lab.language lab.trace
            lab.run: protocol world simulate catalogue lab.command lab.diagram.text lab.experiment lab.table lab.trace
            lab.check: protocol world simulate catalogue check check.model lab.command lab.diagram.text lab.experiment\
                 lab.table lab.trace
            lab.timeout: protocol mutex world simulate lab.command lab.experiment
            lab.explain: catalogue lab.language
            lab.advice: protocol world catalogue check check.model smallscope lab.matrix lab.quorum lab.timeout
            course.chapter:
            course.threads: world check check.model smallscope
            course.servers.process:
            course.servers: protocol mutex
            course.servers.load: course.servers course.servers.process
            course.servers.session: course.servers.process
            course.exercise: protocol world simulate catalogue measure check check.model lab.* course.threads
            stress: course.threads course.exercise
            stress.jmh_generated: stress course.threads
            harness:
            harness.site: harness
            harness.history: client harness harness.site
            harness.faults: protocol harness harness.site harness.history
            harness.cluster: service.server harness harness.site harness.faults
            harness.attack: protocol codec raft world client lockservice lockservice.* service.server service.transport\
                 harness harness.site harness.cluster harness.bench
            harness.bench: world catalogue service.algorithm harness harness.site harness.cluster
            harness.count: world catalogue harness harness.site harness.cluster
            harness.simulation: protocol codec concurrent world client client.environment lockservice lockservice.*\
                 service.log service.metrics service.raft service.recording service.runtime service.server\
                 service.simulation service.storage service.transport
            harness.soak: protocol world simulate catalogue client service.algorithm service.trace\
                 service.recording harness harness.site harness.history harness.faults harness.cluster
            cli.terminal: lockservice.name lab.benchmark lab.command lab.language lab.table harness
            cli.options: world catalogue service.storage service.transport lab.command lab.experiment lab.language\
                 lab.source cli.terminal
            cli.simulate: protocol world simulate catalogue check check.model lab.* service.storage service.trace\
                 service.recording harness.simulation cli.terminal cli.options
            cli.check: protocol world catalogue simulate check check.model smallscope lab.* cli.terminal cli.options\
                 cli.simulate
            cli.analyze: protocol world catalogue check check.model smallscope lab.* cli.terminal cli.options\
                 cli.simulate cli.check
            cli.admin: codec lockservice.* lab.command lab.table service.raft service.server service.transport\
                 harness.cluster cli.terminal cli.options
            cli.exec: lab.command harness.cluster cli.terminal cli.options cli.admin
            cli.serve: protocol lockservice world catalogue lab.command lab.experiment lab.table lab.trace service.*\
                 harness.* cli.terminal cli.options\
                 cli.admin
            cli.soak: world lab.benchmark lab.command harness.soak cli.terminal cli.options cli.serve
            cli.attack: lab.benchmark lab.command service.transport harness harness.attack cli.terminal cli.options\
                 cli.serve
            cli.bench: world catalogue lab.benchmark lab.command harness harness.* cli.terminal cli.options cli.serve
            cli.course: protocol world simulate catalogue check check.model lab.* course.* harness.bench cli.terminal\
                 cli.options cli.simulate cli.check
            cli.web: lab.command cli.terminal cli.options
            cli: lockservice.name harness lab.command lab.experiment lab.language lab.table cli.*
            """);

    private static Map<String, List<String>> layers(String text) {
        var layers = new LinkedHashMap<String, List<String>>();
        text.lines()
                .map(line -> line.split(":", 2))
                .forEach(parts -> layers.put(
                        parts[0],
                        Stream.of(parts[1].strip().split(" "))
                                .filter(name -> !name.isEmpty())
                                .toList()));
        return layers;
    }

    @ArchTest
    static void a_package_depends_only_on_the_layers_below_it(JavaClasses all) {
        var wrong = new ArrayList<String>();
        LAYERS.forEach((name, below) -> {
            var allowed = Stream.concat(Stream.of(name), below.stream())
                    .map(layer -> "habemus." + layer.replace(".*", ".."))
                    .toArray(String[]::new);
            var rule = classes()
                    .that(resideInAPackage("habemus." + name))
                    .should()
                    .onlyDependOnClassesThat(resideOutsideOfPackage("habemus..").or(resideInAnyPackage(allowed)));
            rule.evaluate(all).getFailureReport().getDetails().forEach(wrong::add);
        });
        assertThat(wrong).isEmpty();
    }

    @ArchTest
    static void every_package_has_its_layer(JavaClasses all) {
        assertThat(all.stream().map(JavaClass::getPackageName).map(name -> name.substring("habemus.".length())))
                .isSubsetOf(LAYERS.keySet());
    }

    @ArchTest
    static final ArchRule packages_form_no_cycle =
            slices().matching("habemus.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule only_the_command_line_knows_the_command_line = noClasses()
            .that()
            .resideOutsideOfPackage("habemus.cli..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("habemus.cli..");

    @ArchTest
    static final ArchRule only_the_transport_uses_netty = onlyIn("io.netty..", "habemus.service.transport..");

    @ArchTest
    static final ArchRule only_the_command_line_uses_picocli = onlyIn("picocli..", "habemus.cli..");

    /** No message, file or snapshot is a serialized object. Servers also install a filter that refuses all. */
    @ArchTest
    static final ArchRule nothing_is_serialized_by_java = noClasses()
            .should()
            .dependOnClassesThat()
            .belongToAnyOf(
                    ObjectInput.class,
                    ObjectInputStream.class,
                    ObjectOutput.class,
                    ObjectOutputStream.class,
                    Externalizable.class);

    @ArchTest
    static final ArchRule only_what_an_exception_holds_is_serializable = noClasses()
            .that()
            .doNotHaveSimpleName("LossReason")
            .should()
            .dependOnClassesThat()
            .belongToAnyOf(Serializable.class);

    private static ArchRule onlyIn(String library, String... packages) {
        return noClasses()
                .that()
                .resideOutsideOfPackages(packages)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library);
    }

    /** Worlds do not know algorithms: they get them from the catalogue. */
    @ArchTest
    static final ArchRule only_the_catalogue_names_algorithms = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "habemus.mutex..",
                    "habemus.election..",
                    "habemus.detector..",
                    "habemus.raft..", // votes are weighted as in an election
                    "habemus.threads..",
                    "habemus.catalogue..",
                    "habemus.measure..",
                    "habemus.lab..",
                    "habemus.course..",
                    "habemus.service.raft..", // the runtime of this one algorithm
                    "habemus.service.recording..", // re-executes what that runtime did
                    "habemus.harness.attack..", // mutates the messages of that runtime
                    "habemus.cli..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "habemus.mutex..",
                    "habemus.election..",
                    "habemus.detector..",
                    "habemus.raft..",
                    "habemus.threads..");

    @ArchTest
    static final ArchRule the_client_needs_nothing_but_core_and_slf4j = classes()
            .that()
            .resideInAPackage("habemus.client..")
            .and(describe(
                    "are not the optional Micrometer binding",
                    type -> !type.getName().startsWith("habemus.client.MicrometerClientMetrics")))
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..", "javax.net.ssl..", "javax.sql..", "habemus..", "org.slf4j..", "org.jspecify..");

    @ArchTest
    static final ArchRule only_the_fence_guard_of_the_client_uses_a_database = noClasses()
            .that()
            .resideInAPackage("habemus.client..")
            .and()
            .doNotHaveSimpleName("JdbcFenceGuard")
            .and()
            .doNotHaveSimpleName("FenceGuard")
            .and()
            .doNotHaveSimpleName("EmbeddedNode") // passes the data source on to the log
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.sql..", "javax.sql..");

    @ArchTest
    static void public_types_of_the_client_mention_only_the_jdk_and_the_client(JavaClasses all) {
        var mentioned = all.stream()
                .filter(type -> type.getPackageName().equals("habemus.client"))
                .filter(DependencyRulesTest::isVisible)
                .flatMap(type -> Stream.concat(
                        type.getMembers().stream()
                                .filter(member -> isVisible(member, type))
                                .flatMap(member -> member.getAllInvolvedRawTypes().stream()),
                        Stream.concat(type.getRawSuperclass().stream(), type.getRawInterfaces().stream())))
                .map(JavaClass::getBaseComponentType)
                .filter(type -> !type.isPrimitive())
                .map(JavaClass::getPackageName)
                .filter(name -> !name.startsWith("java") && !name.equals("org.jspecify.annotations"))
                .collect(toSet());
        assertThat(mentioned).containsOnly("habemus.client");
    }

    private static boolean isVisible(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.getEnclosingClass().map(DependencyRulesTest::isVisible).orElse(true);
    }

    private static boolean isVisible(JavaMember member, JavaClass owner) {
        return member.getOwner().equals(owner)
                && (member.getModifiers().contains(JavaModifier.PUBLIC)
                        || member.getModifiers().contains(JavaModifier.PROTECTED));
    }
}
