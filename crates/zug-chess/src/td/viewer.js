(function () {
  var data = JSON.parse(document.getElementById('learned-games').textContent);
  var root = document.querySelector('.rg');
  var find = function (what) { return root.querySelector(what); };
  var squares = root.querySelectorAll('.bd i');
  var rows = find('.mv'), choice = find('.gs'), told = root.querySelectorAll('.now dd');
  var game, boards, ply;
  var glyph = { K: '\u265a', Q: '\u265b', R: '\u265c', B: '\u265d', N: '\u265e', P: '\u265f\ufe0e' };

  // Boards are strings of 64 squares, a1 first; a move tells the squares that it changes.
  function play(board, change) {
    var after = board.split('');
    for (var i = 0; i < change.length; i += 3) {
      after['abcdefgh'.indexOf(change[i]) + 8 * (change[i + 1] - 1)] = change[i + 2];
    }
    return after.join('');
  }
  function number(at) {
    var n = game.n + at;
    return (n >> 1) + 1 + (n & 1 ? '\u2026 ' : '. ');
  }
  function move(at) { return number(at) + game.m[at].split(' ')[0]; }
  function thought(at) {
    return game.s.filter(function (s) { return s[0] === at; })[0];
  }
  function show(to) {
    ply = Math.max(0, Math.min(game.m.length, to));
    var changed = ply ? game.m[ply - 1].split(' ')[1] : '';
    var marks = {};
    for (var i = 0; i < changed.length; i += 3) marks[changed.substr(i, 2)] = 1;
    squares.forEach(function (square, i) {
      var file = i % 8, rank = 7 - (i >> 3), man = boards[ply][rank * 8 + file];
      square.textContent = glyph[man.toUpperCase()] || '';
      square.className = (file + rank) % 2 ? '' : 'd';
      if (man !== '-' && man === man.toUpperCase()) square.classList.add('w');
      if (marks['abcdefgh'[file] + (rank + 1)]) square.classList.add('m');
    });
    var t = ply ? thought(ply - 1) : null;
    var who = ply === 0 ? 'the beginning' : t ? 'the learner\u2019s' : 'without a thought of the learner';
    var line = t ? t.slice(1) : ['', '', '', '', '', '', ''];
    [ply ? move(ply - 1) : '\u2013', who].concat(line).forEach(function (text, i) {
      told[i].textContent = text;
    });
    find('.at').textContent = 'ply ' + ply + ' of ' + game.m.length;
    rows.querySelectorAll('tr').forEach(function (row, i) {
      var on = t && game.s[i] === t;
      row.classList.toggle('on', !!on);
      if (on) {
        var box = row.closest('.moves'), top = row.offsetTop - 40;
        if (top < box.scrollTop || top > box.scrollTop + box.clientHeight - 80) box.scrollTop = top;
      }
    });
  }
  function open(number) {
    game = data.games[number];
    boards = [game.b];
    game.m.forEach(function (m, i) { boards.push(play(boards[i], m.split(' ')[1])); });
    find('.info').textContent = game.i;
    rows.textContent = '';
    game.s.forEach(function (s) {
      var row = document.createElement('tr');
      [move(s[0])].concat(s.slice(1)).forEach(function (text, i) {
        var cell = document.createElement('td');
        cell.textContent = text;
        if (data.right[i]) cell.className = 'number';
        row.appendChild(cell);
      });
      row.addEventListener('click', function () { show(s[0] + 1); });
      rows.appendChild(row);
    });
    show(0);
  }
  data.games.forEach(function (g, i) { choice.add(new Option(g.t, i)); });
  choice.addEventListener('change', function () { open(+choice.value); });
  var steps = [
    function () { return 0; },
    function () { return ply - 1; },
    function () { return ply + 1; },
    function () { return game.m.length; }
  ];
  root.querySelectorAll('button').forEach(function (button, i) {
    button.addEventListener('click', function () { show(steps[i]()); });
  });
  root.addEventListener('keydown', function (event) {
    var i = ['Home', 'ArrowLeft', 'ArrowRight', 'End'].indexOf(event.key);
    if (i < 0 || event.target === choice) return;
    event.preventDefault();
    show(steps[i]());
  });
  root.classList.add('live');
  root.querySelectorAll('[hidden]').forEach(function (part) { part.removeAttribute('hidden'); });
  open(0);
})();
