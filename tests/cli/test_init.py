def test_init_refuses_to_overwrite(project, cli):
    (project / "my_rag.py").write_text("mine")
    done = cli("init")
    assert done.status == 2
    assert "there already" in done.err
    assert (project / "my_rag.py").read_text() == "mine"
    assert cli("init", "--force").status == 0
    assert "Starter" in (project / "my_rag.py").read_text()


def test_init_elsewhere(folder, cli):
    done = cli("init", "deep/project")
    assert done.status == 0
    assert "cd deep/project && acidtest run" in done.out
    assert (folder / "deep/project/golden.jsonl").exists()
    (folder / "file").write_text("x")
    done = cli("init", "file/x")
    assert done.status == 2


def test_doctor_on_a_project(project, cli):
    done = cli("doctor")
    assert done.status == 0, done.out
    assert "golden set" in done.out
    assert "pipeline starter" in done.out
    lines = {line["what"]: line["state"] for line in cli("doctor", "--json").json}
    assert lines["judge"] == "ok"
    assert lines["store"] == "ok"
    assert not (project / ".acidtest").exists()
    assert cli("run", "-m", "mrr").status == 0
    assert "1 run at" in " ".join(cli("doctor").out.split())


def test_doctor_says_what_is_broken(project, cli):
    (project / "acidtest.toml").write_text('golden = "nothere.jsonl"\n[judge]\nmodel = "x"\n')
    done = cli("doctor")
    assert done.status == 1
    assert "nothere.jsonl" in done.out
    assert "unknown judge 'x'" in done.out
    (project / "acidtest.toml").write_text("golde = 'x'")
    assert "Did you mean 'golden'" in cli("doctor").out


def test_doctor_without_a_project(folder, cli):
    done = cli("doctor")
    assert done.status == 0
    assert "acidtest init" in done.out
